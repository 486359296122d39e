// Every page of the table that is not public: whoever may open it finds it titled and sound, at both
// widths. Their states and the dark scheme are the matter of their own specs.
import { pages } from '../src/pages.ts';
import { enter } from './office.ts';
import { dress, expect, expectSound, looks, test } from './school.ts';
import { asDemoStudent } from './student.ts';

for (const { path, area, title } of pages.filter((page) => page.area !== 'public' && !page.catches)) {
  test(`${path} is titled and sound`, async ({ page, school }) => {
    const address = path.replace(/:token\??/, 'a-token');
    // The whole catalogue takes axe as long as all other pages together.
    const search = path.endsWith('/courses') ? '?q=eng4u' : '';
    if (area === 'student') await asDemoStudent(page, school);
    if (area === 'office') await enter(page, school, address);
    for (const look of looks.filter(({ colorScheme }) => colorScheme === 'light')) {
      await dress(page, look);
      const response = await page.goto(address + search);
      const sent = /<title>(.*?)<\/title>/.exec((await response?.text()) ?? '')?.[1];
      expect(sent, 'the server’s title').toBe(`${title} · Northgate Academy`);
      await expect(page.getByRole('heading', { level: 1, name: /./ })).toBeVisible();
      await expect(page, 'the interface’s title').toHaveTitle(`${title} · Northgate Academy`);
      expect(new URL(page.url()).pathname).toBe(address);
      await expectSound(page);
    }
  });
}
