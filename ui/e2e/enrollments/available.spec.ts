// Available Courses: initial view and filters.
import type { Page } from '@playwright/test';
import { asDemoStudent, newStaff, signedIn } from '../actors.ts';
import { expectSoundInEveryLook } from '../looks.ts';
import { expect, test } from '../school.ts';

const course = (page: Page, code: string) => page.getByRole('listitem').filter({ hasText: code });

test('the courses are narrowed by grade and words, in the address', async ({ page, school }) => {
  await asDemoStudent(page, school);
  await page.goto('/student/courses?grade=11&q=CHEM');
  await expect(page.getByRole('radio', { name: '11' })).toBeChecked();
  await expect(page.getByRole('heading', { level: 4 })).toHaveText(['Chemistry']);
  await expect(course(page, 'SCH3U').getByRole('button', { name: 'Repeat This Course' })).toBeEnabled();
  await expect(course(page, 'SCH3U')).toContainText('You completed this course with 87%. You may repeat it for a better mark');
  await page.getByRole('radio', { name: '11' }).focus();
  await page.keyboard.press('ArrowLeft');
  await expect(page).toHaveURL(/grade=10/);
  await expect(page.getByRole('heading', { name: 'No course matches “CHEM” in grade 10' })).toBeVisible();
  await expectSoundInEveryLook(page);
  await page.getByRole('button', { name: 'Show All Courses' }).click();
  await expect(page.getByText('158 courses')).toBeVisible();
  await expect(page.getByLabel('Search by name or code')).toBeFocused();
  await expect(page).toHaveURL(/\/student\/courses\?grade=all$/);
  await page.getByLabel('Search by name or code').fill('physics');
  await expect(course(page, 'SPH4U').first()).toContainText('Your earlier request was declined (“The winter class is full”).');
  await expect(course(page, 'SPH4U').first().getByRole('button', { name: 'Enroll Now' })).toBeEnabled();
  await expectSoundInEveryLook(page);
  await page.goto('/student/courses?grade=13');
  await expect(page.getByRole('radio', { name: '12' }), 'their own grade').toBeChecked();
});

test('the courses open on the student’s grade, by subject and level, with earlier enrollments', async ({ page, school }) => {
  await asDemoStudent(page, school);
  await page.goto('/student/courses');
  await expect(page.getByRole('radio', { name: '12' })).toBeChecked();
  await expect(page.getByText('55 courses')).toBeVisible();
  await expect(page.getByRole('progressbar', { name: 'Credits toward the diploma' })).toHaveAttribute('max', '30');
  await page.getByRole('list', { name: 'Subject' }).getByRole('button', { name: 'Mathematics' }).click();
  await expect(page.getByRole('heading', { level: 3 })).toHaveText(['Mathematics']);
  await page.getByLabel('Level').selectOption('College');
  await expect(page).toHaveURL(/\?subject=Mathematics&level=College$/);
  await expect(page.getByRole('heading', { level: 4 })).toHaveCount(2);
  await page.reload();
  await expect(page.getByRole('heading', { level: 4 })).toHaveCount(2);
  await page.getByLabel('Search by name or code').fill('mcv4u');
  await page.getByLabel('Level').selectOption('');
  await expect(course(page, 'MCV4U')).toContainText('Advanced Functions (MHF4U) MHF4U, requested here and not approved yet');
  await page.goto('/student/courses?grade=12');
  await expectSoundInEveryLook(page);
});

test('a closed course says so, and a student without a known grade sees all grades', async ({ page, fresh }) => {
  const office = await newStaff(fresh);
  const courses = (await (await office.get('/api/admin/courses')).json()) as { id: number; code: string }[];
  await office.patch(`/api/admin/courses/${courses.find(({ code }) => code === 'ENG4U')?.id}`, { data: { isOpen: false } });
  await signedIn(page, fresh, 'newcomer');
  await page.goto(`${fresh.url}/student/courses`);
  await expect(page.getByText('158 courses')).toBeVisible();
  await page.getByLabel('Search by name or code').fill('eng4u');
  await expect(course(page, 'ENG4U')).toContainText('Closed: this course isn’t accepting requests right now.');
  await expect(page.getByRole('button', { name: 'Enroll Now' })).toHaveCount(0);
  await expectSoundInEveryLook(page);
});
