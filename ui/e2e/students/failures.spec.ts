// Available Courses without a session.
import type { Page } from '@playwright/test';
import { asDemoStudent, endSession } from '../actors.ts';
import { expectSoundInEveryLook } from '../looks.ts';
import { expect, test } from '../school.ts';

const isThere = (page: Page, text: string) => expect(page.getByRole('main').getByText(text).first()).toBeVisible();

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
