// Every screen of the student portal with failed, offline and late responses, and after the session has ended.
import type { Page } from '@playwright/test';
import { asDemoStudent, endSession } from '../actors.ts';
import { expectSound, expectSoundInEveryLook } from '../looks.ts';
import { hold } from '../network.ts';
import { expect, test } from '../school.ts';

const screens = [
  { path: '/student/dashboard', call: 'documents', failed: 'Failed to load your documents. Please try again later.', late: 'Not known yet', here: 'All complete' },
  { path: '/student/dashboard', call: 'enrollments', late: 'Loading your courses...', failed: 'Failed to load your courses. Please try again later.', here: 'ENG4U' },
  { path: '/student/dashboard?tab=courses', call: 'enrollments', late: 'Loading your courses...', failed: 'Failed to load your courses. Please try again later.', here: 'ENG4U' },
  { path: '/student/dashboard?tab=documents', call: 'documents', late: 'Loading your documents...', failed: 'Failed to load your documents. Please try again later.', here: 'School Transcript' },
  { path: '/student/courses?q=ENG4U', call: 'courses', late: null, failed: 'Error loading courses. Please try again later.', here: 'Already Enrolled' },
] as const;

const address = (call: string) => (call === 'courses' ? '**/api/courses' : `**/api/students/${call}`);
const isThere = (page: Page, text: string) => expect(page.getByRole('main').getByText(text).first()).toBeVisible();

for (const { path, call, late, failed, here } of screens) {
  test(`${path} without its ${call}: wrong, offline, late, and after the session`, async ({ page, school }) => {
    await asDemoStudent(page, school);
    for (const answer of ['wrong', 'offline'] as const) {
      await page.route(address(call), (route) =>
        answer === 'wrong' ? route.fulfill({ status: 500, body: '<h1>boom</h1>' }) : route.abort('internetdisconnected'),
      );
      await page.goto(path);
      await isThere(page, failed);
      await expect(page.getByText('boom')).toHaveCount(0);
      // The notice is the same in both.
      if (answer === 'wrong') await expectSound(page);
      await page.unrouteAll();
      await page.getByRole('button', { name: 'Retry' }).first().click();
      await isThere(page, here);
      await expect(page.getByText(failed)).toHaveCount(0);
    }
    const held = await hold(page, address(call));
    await page.goto(path);
    // The catalogue shows placeholders, others a spinner with a label.
    await expect(late ? page.getByText(late) : page.locator('main li.skeleton').first()).toBeVisible();
    held.release();
    await isThere(page, here);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    // The courses are public; all others ask to log in again.
    if (call === 'courses') return;
    await page.route(address(call), (route) => route.fulfill({ status: 401, json: { message: 'Please log in to continue.' } }));
    await page.goto(path);
    await expect(page.getByRole('dialog', { name: 'Please log in again' })).toBeVisible();
  });
}

test('a refused course list offers the login, without an error', async ({ page, school }) => {
  const refusal = { status: 401, json: { message: 'Please log in to continue.' } };
  await asDemoStudent(page, school);
  await page.route('**/api/courses', (route) => route.fulfill(refusal));
  await page.goto('/student/courses');
  await expect(page.getByRole('heading', { name: 'No courses to show' })).toBeVisible();
  await expect(page.getByText('Error loading courses')).toHaveCount(0);
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expectSoundInEveryLook(page);
  await page.unroute('**/api/courses');
  // A signed-in student is redirected back, and sees the courses.
  await page.getByRole('main').getByRole('link', { name: 'Log In' }).click();
  await isThere(page, 'ENG4U');
  await expect(page).toHaveURL(/\/student\/courses$/);
  await page.route('**/api/courses', (route) => route.fulfill(refusal));
  await page.goto('/student/courses');
  await expect(page.getByRole('heading', { name: 'No courses to show' })).toBeVisible();
  await endSession(page);
  await page.getByRole('main').getByRole('link', { name: 'Log In' }).click();
  await expect(page).toHaveURL(/\/student\/auth\?next=%2Fstudent%2Fcourses$/);
  await page.unroute('**/api/courses');
  await page.getByLabel('Email', { exact: true }).fill(school.student.email);
  await page.getByLabel('Password', { exact: true }).fill(school.student.password);
  await page.getByRole('button', { name: 'Login', exact: true }).click();
  await isThere(page, 'ENG4U');
});
