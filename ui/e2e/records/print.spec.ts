// Printing a student's page: all tabs, no controls; and a class list.
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

test('a class list prints alone on one page, with the hours and the teacher of its section', async ({ page, school }) => {
  await enter(page, school, '/admin/courses');
  const sections = (await (await page.request.get('/api/admin/sections')).json()) as { id: number; courseId: number; courseCode: string; status: string }[];
  const full = sections.find(({ courseCode, status }) => courseCode === 'SPH4U' && status === 'open');
  await page.goto(`/admin/courses/${full?.courseId}`);
  const list = page.getByRole('region', { name: 'Class List' });
  await list.getByRole('combobox', { name: 'Section' }).selectOption(String(full?.id));
  await expect(list.getByText('Mon, Wed and Fri 09:00–10:15 Toronto')).toBeVisible();
  const pdf = (await page.pdf({ format: 'Letter' })).toString('latin1');
  expect(pdf.match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
  await page.setViewportSize({ width: 816, height: 1056 });
  await page.emulateMedia({ media: 'print' });
  await expect(list.getByText('Ruth Sample')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Waiting List' })).toBeHidden();
  expect((await list.boundingBox())?.width).toBeGreaterThan(700);
});
