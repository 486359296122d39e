// All portal and account pages of the table: titled, and sound in every look. Their states are in their own specs.
import { pages } from '../src/pages.ts';
import { asDemoStudent, asStaff } from './actors.ts';
import { expectSoundInEveryLook } from './looks.ts';
import { expect, test } from './school.ts';

for (const { path, area, title } of pages.filter((page) => page.area !== 'public' && !page.catches)) {
  test(`${path} is titled, and sound in every look`, async ({ page, school }) => {
    const address = path.replace(/:token\??/, 'a-token').replace(':id', '1');
    // axe takes as long for the whole catalogue as for all other pages.
    const search = path.endsWith('/courses') ? '?q=eng4u' : '';
    if (area === 'student') await asDemoStudent(page, school);
    if (area === 'office') await asStaff(page, school);
    const response = await page.goto(address + search);
    const sent = /<title>(.*?)<\/title>/.exec((await response?.text()) ?? '')?.[1];
    expect(sent, 'the server’s title').toBe(`${title} · Northgate Academy`);
    await expect(page.getByRole('heading', { level: 1, name: /./ })).toBeVisible();
    await expect(page, 'the interface’s title').toHaveTitle(`${title} · Northgate Academy`);
    expect(new URL(page.url()).pathname).toBe(address);
    await expectSoundInEveryLook(page);
  });
}
