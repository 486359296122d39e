// Printing a student's page: all tabs, no controls.
import { enter } from '../actors.ts';
import { expect, test } from '../school.ts';

test('a student’s page prints with every tab and without controls', async ({ page, school }) => {
  await enter(page, school, '/admin/students?q=amara');
  await page.getByRole('table').getByRole('link').first().click();
  await expect(page.getByRole('tab', { name: 'Overview' })).toBeVisible();
  const labels = ['Overview', /^Courses/, /^Documents/, /^Emails & Messages/, /^Notes/, 'History', 'Money'];
  for (const name of labels) await expect(page.getByRole('tab', { name })).toBeVisible();
  const headings = page.locator('.student-file h2');
  await expect(headings.filter({ hasText: 'History' })).toHaveCount(0);
  // Printing, and print preview.
  await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
  await expect(headings.filter({ hasText: 'History' })).toHaveCount(1);
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
  await expect(headings.filter({ hasText: 'History' })).toHaveCount(0);
  await page.getByRole('tab', { name: /^Notes/ }).click();
  const note = page.getByLabel('New note');
  await note.fill('Half a sentence');
  await page.emulateMedia({ media: 'print' });
  for (const name of labels) await expect(page.getByRole('heading', { level: 2, name })).toBeVisible();
  const pressed = page.locator('.student-file').locator('button, .button, [role=tab], textarea, select, input');
  for (const one of await pressed.all()) await expect(one).toBeHidden();
  await page.emulateMedia({ media: 'screen' });
  await expect(headings.filter({ hasText: 'History' })).toHaveCount(0);
  // The input is kept.
  await expect(note).toHaveValue('Half a sentence');
  await note.fill('');
});
