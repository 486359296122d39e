// A student's course after the request: waiting list, offered place, leaving and history.
import type { Page } from '@playwright/test';
import { newStaff, newStudent, signIn } from '../actors.ts';
import { expectSoundInEveryLook } from '../looks.ts';
import { answer } from '../network.ts';
import { expect, expectToast, test } from '../school.ts';
import { approveAll, daysFromNow, requestCourses } from './actions.ts';

const card = (page: Page, code: string) => page.getByRole('listitem').filter({ hasText: code }).first();

test('a student asks to leave a running course, stays after all, and sees the history', async ({ page, fresh }) => {
  const person = await newStudent(fresh, 'leaver');
  await requestCourses(person, ['ENG4U']);
  await approveAll(await newStaff(fresh));
  await signIn(page, person);
  await page.goto(`${fresh.url}/student/dashboard?tab=courses`);
  const english = card(page, 'ENG4U');
  await expect(english).toContainText('Price$749.00charged');
  await english.getByRole('button', { name: 'Ask to Leave This Course' }).click();
  const dialog = page.getByRole('dialog', { name: 'Ask to leave this course?' });
  await dialog.getByRole('button', { name: 'Ask to Leave' }).click();
  await expect(dialog.getByLabel('Why do you want to leave?')).toHaveAccessibleDescription(/Please say in at least 10 characters/);
  await expectSoundInEveryLook(page);
  await dialog.getByLabel('Why do you want to leave?').fill('My timetable has changed.');
  await dialog.getByRole('button', { name: 'Ask to Leave' }).click();
  await expectToast(page, 'Request sent');
  await expect(english).toContainText('You asked to leave on');
  await expect(english).toContainText('My timetable has changed.');
  await expect(english.getByRole('button', { name: 'Ask to Leave This Course' })).toHaveCount(0);
  await english.locator('summary', { hasText: 'History' }).click();
  await expect(english.getByRole('listitem').filter({ hasText: 'The office approved it' })).toBeVisible();
  await expectSoundInEveryLook(page);
  await english.getByRole('button', { name: 'Stay in the Course' }).click();
  await expectToast(page, 'You stay in the course');
  await expect(english.getByRole('button', { name: 'Ask to Leave This Course' })).toBeVisible();
});

test('a student on the waiting list reads their place, is offered one, and takes it', async ({ page, fresh }) => {
  const staff = await newStaff(fresh);
  const courses = (await (await staff.get('/api/admin/courses')).json()) as { id: number; code: string }[];
  const course = `/api/admin/courses/${courses.find(({ code }) => code === 'ENG4U')?.id}`;
  await staff.patch(course, { data: { capacity: 1 } });
  await requestCourses(await newStudent(fresh, 'first'), ['ENG4U']);
  await approveAll(staff);
  const person = await newStudent(fresh, 'second');
  await requestCourses(person, ['ENG4U']);
  const own = async () => ((await (await person.calls.get('/api/students/enrollments')).json()) as { id: number; waitlistPosition: number }[])[0];
  const { id } = (await own()) ?? { id: 0 };
  expect((await staff.post(`/api/admin/enrollments/${id}/waitlist`)).ok()).toBe(true);
  await signIn(page, person);
  await page.goto(`${fresh.url}/student/dashboard?tab=courses`);
  const english = card(page, 'ENG4U');
  await expect(english).toContainText('You are number 1 on the waiting list');

  const list = (await (await staff.get(`${course}/class-list`)).json()) as { enrollmentId: number }[];
  const leaving = { reason: 'The family has moved away.', effectiveOn: daysFromNow(0) };
  const withdrawn = await staff.post(`/api/admin/enrollments/${list[0]?.enrollmentId}/withdraw`, { data: leaving });
  expect(withdrawn.ok(), await withdrawn.text()).toBe(true);
  // The email's target, and the overview.
  await page.goto(`${fresh.url}/student/dashboard`);
  await page.getByRole('link', { name: 'A place is free for you: take it or decline it' }).click();
  await expect(english).toContainText('The office keeps a free place in this class for you.');
  await expect(english).toContainText('A place is free for you');
  await expectSoundInEveryLook(page);
  await english.getByRole('button', { name: 'No Thanks' }).click();
  await page.getByRole('button', { name: 'Keep the Place' }).click();
  await english.getByRole('button', { name: 'Take the Place' }).click();
  await expectToast(page, 'Place taken');
  await expect(english.locator('.tone-green')).toHaveText('active');
});

test('a history that cannot be loaded says so', async ({ page, fresh }) => {
  const person = await newStudent(fresh, 'reader');
  await requestCourses(person, ['ENG4U']);
  await signIn(page, person);
  await answer(page, 'GET', '/api/students/enrollments/*/history', { status: 500, body: 'boom' });
  await page.goto(`${fresh.url}/student/dashboard?tab=courses`);
  await card(page, 'ENG4U').locator('summary').click();
  await expect(page.getByText('Failed to load the history. Please try again later.')).toBeVisible();
});
