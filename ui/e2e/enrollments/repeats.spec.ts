// Repeating a completed course, for the student and the office.
import type { APIRequestContext, Page } from '@playwright/test';
import { enter, newStaff, newStudent, signIn } from '../actors.ts';
import { expectSoundInEveryLook } from '../looks.ts';
import { expect, expectToast, test } from '../school.ts';
import { approveAll, over, requestCourses } from './actions.ts';

const course = (page: Page, code: string) => page.getByRole('listitem').filter({ hasText: code }).first();

/** Completes all active enrollments. */
async function completeAll(staff: APIRequestContext, finalMark: number) {
  const rows = (await (await staff.get('/api/admin/enrollments?status=active')).json()) as { id: number }[];
  for (const { id } of rows) {
    // oxlint-disable-next-line no-await-in-loop
    const answer = await staff.post(`/api/admin/enrollments/${id}/complete`, { data: { finalMark } });
    // oxlint-disable-next-line no-await-in-loop
    expect(answer.ok(), await answer.text()).toBe(true);
  }
}

test('a failed course is repeated: both sides see that, and both attempts stay', async ({ browser, page, fresh }) => {
  test.slow();
  const staff = await newStaff(fresh);
  const person = await newStudent(fresh, 'repeater');
  await requestCourses(person, ['ENG4U'], over);
  await approveAll(staff);
  await completeAll(staff, 41);

  await signIn(page, person);
  await page.goto(`${fresh.url}/student/courses?grade=12&q=eng4u`);
  const english = course(page, 'ENG4U');
  const meaning = 'You completed this course with 41%. You may repeat it. It is a new enrollment with its own fee; the better mark earns the credit, once, and both stay on your record.';
  await expect(english).toContainText(meaning);
  await expectSoundInEveryLook(page);
  await english.getByRole('button', { name: 'Repeat This Course' }).click();
  await expect(page.getByRole('dialog')).toContainText(meaning);
  await expectSoundInEveryLook(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Submit Enrollment' }).click();
  await expectToast(page, 'Enrollment Submitted');
  await expect(english.getByRole('button', { name: 'Already Enrolled' })).toBeDisabled();

  const desk = await (await browser.newContext()).newPage();
  await enter(desk, fresh, '/admin/enrollments');
  const row = desk.getByRole('row', { name: /ENG4U/ });
  await expect(row).toContainText('Repeat, had 41%');
  await expectSoundInEveryLook(desk);
  await row.getByRole('button', { name: 'Approve' }).click();
  await expectToast(desk, 'Enrollment approved');

  await page.goto(`${fresh.url}/student/dashboard?tab=courses`);
  await expect(page.getByText('A repeat: you completed this course before with 41%.')).toBeVisible();
  const [running] = (await (await staff.get('/api/admin/enrollments?status=active')).json()) as { id: number; studentId: number }[];
  const dates = { ...over, reason: 'The course was taught in the summer.' };
  expect((await staff.post(`/api/admin/enrollments/${running?.id}/dates`, { data: dates })).ok()).toBe(true);
  await completeAll(staff, 78);
  await page.reload();
  await expect(page.getByText('Recorded as a repeat: another mark of yours in this course is as good or better')).toHaveCount(1);
  await expectSoundInEveryLook(page);
  await page.goto(`${fresh.url}/student/courses?grade=12&q=eng4u`);
  await expect(page.getByText(/^1 of 30 credits earned here/)).toBeVisible();
  await expect(english).toContainText('You completed this course with 78%. You may repeat it for a better mark, which the office confirms.');

  await desk.goto(`${fresh.url}/admin/students/${running?.studentId}?tab=courses`);
  await expect(desk.getByText('after a failure; had 41%')).toBeVisible();
  await expect(desk.getByText('Repeat (R): another mark in this course')).toHaveCount(1);
  await desk.getByRole('button', { name: 'Enroll in a Course' }).click();
  const dialog = desk.getByRole('dialog', { name: 'Enroll in a course' });
  await dialog.getByLabel('Course').selectOption({ label: 'ENG4U · English' });
  await expect(dialog.getByLabel('Course')).toHaveAccessibleDescription(/A repeat: the student completed ENG4U with 78%/);
  await expectSoundInEveryLook(desk);
});
