// Dialogs in their initial state, and the question on leaving them: sound in every look.
import { asDemoStudent, enter } from '../actors.ts';
import { expectSoundInEveryLook } from '../looks.ts';
import { expect, test } from '../school.ts';

test('the student’s dialogs are sound as they open', async ({ page, school }) => {
  test.slow();
  await asDemoStudent(page, school);
  await page.goto('/student/courses?q=SCH4U');
  await page.getByRole('button', { name: /Enroll Now/ }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await expectSoundInEveryLook(page);
  await page.goto('/student/dashboard?tab=documents');
  await page.getByRole('button', { name: 'Upload New Document' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await expectSoundInEveryLook(page);
  await page.getByLabel('Document type').selectOption({ label: 'School Transcript' });
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog', { name: 'Leave without saving?' })).toBeVisible();
  await expectSoundInEveryLook(page);
});

test('the office’s dialogs are sound as they open, and the list behind them while it loads', async ({ page, school }) => {
  test.slow();
  await enter(page, school, '/admin/courses?q=ENG4U');
  await page.getByRole('button', { name: /^Edit/ }).click();
  await expect(page.getByRole('dialog', { name: 'Update Course' })).toBeVisible();
  await expectSoundInEveryLook(page);
  await page.route('**/api/admin/courses', () => {});
  await page.goto('/admin/courses');
  await expect(page.locator('.spinner')).toBeVisible();
  await expectSoundInEveryLook(page);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});
