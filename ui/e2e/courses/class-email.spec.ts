// An email to a class: writing, preview and sending.
import { enter, newStaff, newStudent } from '../actors.ts';
import { approveAll, requestCourses } from '../enrollments/actions.ts';
import { expectSoundInEveryLook } from '../looks.ts';
import { subjectsTo } from '../mail.ts';
import { expect, expectToast, test } from '../school.ts';

test('the class of a course gets the previewed email', async ({ page, fresh }) => {
  const staff = await newStaff(fresh);
  const people = [await newStudent(fresh, 'first'), await newStudent(fresh, 'second', { fullName: 'Abel Second' })];
  for (const person of people) {
    // oxlint-disable-next-line no-await-in-loop
    await requestCourses(person, ['ENG4U']);
  }
  await approveAll(staff);
  const courses = (await (await staff.get('/api/admin/courses')).json()) as { id: number; code: string }[];
  const id = courses.find(({ code }) => code === 'ENG4U')?.id;
  await enter(page, fresh, `/admin/courses/${id}`);
  await page.getByRole('button', { name: 'Write an Email' }).click();
  const dialog = page.getByRole('dialog', { name: 'Write to the Class of ENG4U' });
  await dialog.getByLabel('Subject').fill('Room 204');
  await dialog.getByLabel('Message').fill('On Monday we meet in room 204.');
  // Closing by mistake keeps the input.
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Keep Editing' }).click();
  await dialog.getByRole('button', { name: 'Preview' }).click();
  await expect(dialog.getByRole('heading', { name: '2 students get this email' })).toBeFocused();
  await expect(dialog.getByRole('article', { name: 'The email' })).toContainText('Hello Abel Second,');
  await expectSoundInEveryLook(page);
  await dialog.getByRole('button', { name: 'Send to 2 students' }).click();
  await expectToast(page, '2 emails queued', 'To the class of ENG4U.');
  for (const { email } of people) {
    // oxlint-disable-next-line no-await-in-loop
    await expect.poll(() => subjectsTo(fresh, email)).toContain('Room 204');
  }
  await page.getByRole('link', { name: 'Abel Second' }).click();
  await page.getByRole('tab', { name: 'History' }).click();
  await expect(page.getByText('Email from the office: Room 204')).toBeVisible();
});
