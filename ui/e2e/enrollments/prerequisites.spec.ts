// Prerequisite checks, for the office and the student.
import { enter, newStaff, newStudent, signIn } from '../actors.ts';
import { expectSoundInEveryLook } from '../looks.ts';
import { expect, test } from '../school.ts';
import { requestCourses } from './actions.ts';

test('the office and the student see a course’s prerequisite and its check', async ({ page, fresh }) => {
  const person = await newStudent(fresh, 'asking');
  const staff = await newStaff(fresh);
  await requestCourses(person, ['MHF4U', 'ENG4U']);
  const [student] = (await (await staff.get('/api/admin/students?q=asking')).json()) as { id: number }[];
  const credit = { code: 'MCR3U', name: 'Functions', credits: 1, mark: 84, completedOn: '2025-06-20', school: 'Sample Park Collegiate' };
  expect((await staff.post(`/api/admin/students/${student?.id}/external-credits`, { data: credit })).ok()).toBe(true);
  await enter(page, fresh, '/admin/enrollments');
  const row = (code: string) => page.getByRole('row').filter({ hasText: code });
  await expect(row('MHF4U')).toContainText('MCR3U: elsewhere');
  await expect(row('ENG4U')).toContainText('ENG3U: nothing');
  await row('MHF4U').getByRole('button', { name: /^More about/ }).click();
  await expect(page.getByText('MCR3U: elsewhere (MCR3U, completed at Sample Park Collegiate with 84)')).toBeVisible();
  await expectSoundInEveryLook(page);
  await page.getByRole('checkbox', { name: 'Select all on this page' }).click();
  await page.getByRole('group', { name: 'Bulk actions' }).getByRole('button', { name: 'Approve…' }).click();
  const sheet = page.getByRole('dialog', { name: 'Approve 2 requests?' });
  await expect(sheet.getByRole('listitem').filter({ hasText: 'prerequisite' })).toHaveText([
    /ENG4U, prerequisite ENG3U: nothing \(no credit in ENG3U is recorded\)$/,
    /MHF4U, prerequisite MCR3U: elsewhere \(MCR3U, completed at Sample Park Collegiate with 84\)$/,
  ]);
  await expectSoundInEveryLook(page);

  await signIn(page, person);
  await page.goto(`${fresh.url}/student/courses?grade=12`);
  await expect(page.getByText('1 of 30 credits: 0 earned here + 1 recorded elsewhere.')).toBeVisible();
  await page.getByText('From other schools').click();
  await expect(page.getByText('MCR3U Functions')).toBeVisible();
  const course = (code: string) => page.getByRole('listitem').filter({ hasText: `${code} ·` });
  await expect(course('MHF4U')).toContainText('Functions (MCR3U) ✓ MCR3U, completed at Sample Park Collegiate with 84');
  await expect(course('ENG4U')).toContainText('English (ENG3U) no credit in ENG3U is recorded');
  await expectSoundInEveryLook(page);
  await page.getByRole('button', { name: 'Enroll Now' }).first().click();
  await expect(page.getByRole('dialog', { name: /^Enroll in/ })).toContainText('The office checks it.');
});
