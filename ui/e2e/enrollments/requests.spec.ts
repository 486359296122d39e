// A student's requests: choosing, requesting, withdrawing and the office's decision.
import type { Page } from '@playwright/test';
import { asDemoStudent, endSession, logInAgain, newStaff, type Person, signedIn } from '../actors.ts';
import { expectSoundInEveryLook } from '../looks.ts';
import { answer, hold } from '../network.ts';
import { expect, expectToast, test } from '../school.ts';
import { requestCourses, shown, term } from './actions.ts';

const course = (page: Page, code: string) => page.getByRole('listitem').filter({ hasText: code });
const dialog = (page: Page) => page.getByRole('dialog', { name: /^Enroll in/ });

async function openEnroll(page: Page, code: string) {
  await page.goto(`/student/courses?q=${code}`);
  await course(page, code).getByRole('button', { name: 'Enroll Now' }).click();
  await expect(dialog(page)).toBeVisible();
}

async function newest({ calls }: Person): Promise<{ id: number; status: string }> {
  return ((await (await calls.get('/api/students/enrollments')).json()) as { id: number; status: string }[])[0] ?? { id: 0, status: 'none' };
}

test('a course is requested, withdrawn, requested again, and approved', async ({ page, school }) => {
  const person = await signedIn(page, school, 'chooser');
  await page.goto('/student/dashboard?tab=courses');
  await expect(page.getByRole('heading', { name: 'No courses yet' })).toBeVisible();
  await page.getByRole('link', { name: 'Enroll in New Course' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Available Courses' })).toBeFocused();
  await expect(page.getByText('158 courses')).toBeVisible();

  await page.getByLabel('Search by name or code').fill('eng4u');
  await expect(page).toHaveURL(/\?q=eng4u$/);
  const english = course(page, 'ENG4U');
  await expect(english).toContainText(/ENG4U · Grade 12, University.*English.*Price\$749\.00.*Credits1/);
  await english.getByRole('button', { name: 'Enroll Now' }).click();
  await expect(dialog(page).getByText('Grade 12, University', { exact: true })).toBeVisible();
  await expect(dialog(page).locator('dl').first()).toHaveText('CodeENG4UCredits1Price$749.00');
  await dialog(page).getByRole('button', { name: 'Submit Enrollment' }).click();
  await expectToast(page, 'Enrollment Submitted', 'Your enrollment has been submitted for approval.');
  await expect(page.getByRole('heading', { level: 4, name: 'English', exact: true })).toBeFocused();
  await expect(english.getByRole('button', { name: 'Already Enrolled' })).toBeDisabled();

  // The next Tab stops: the course's page, then My Courses.
  await page.keyboard.press('Tab');
  await expect(english.getByRole('link', { name: 'English' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(english.getByRole('link', { name: 'See My Courses' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/student\/dashboard\?tab=courses$/);
  await expect(course(page, 'ENG4U')).toContainText('The office has your request');
  await expect(course(page, 'ENG4U')).toContainText(/Start date.*End date.*Days remaining.*Credits1Price\$749\.00/);
  await course(page, 'ENG4U').getByRole('button', { name: 'Withdraw Request' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Withdraw Request' }).click();
  await expectToast(page, 'Request Withdrawn');
  await expect(page.getByRole('heading', { name: 'My Courses' })).toBeFocused();
  await expect(course(page, 'ENG4U')).toContainText('withdrawn');
  await expect(page.getByRole('button', { name: 'Withdraw Request' })).toHaveCount(0);
  await expect(course(page, 'ENG4U')).toContainText('Days remaining–not applicable');
  await expect(course(page, 'ENG4U').getByRole('progressbar')).toHaveCount(0);
  await expect(course(page, 'ENG4U')).not.toContainText('%');

  await openEnroll(page, 'ENG4U');
  await expect(course(page, 'ENG4U')).toContainText('Your earlier enrollment was withdrawn. You may request the course again.');
  await dialog(page).getByRole('button', { name: 'Submit Enrollment' }).click();
  await expectToast(page, 'Enrollment Submitted');
  const office = await newStaff(school);
  expect((await office.post(`/api/admin/enrollments/${(await newest(person)).id}/approve`)).ok()).toBe(true);
  await page.goto('/student/dashboard?tab=courses');
  // The withdrawn request stays below.
  await expect(course(page, 'ENG4U')).toHaveCount(2);
  await expect(course(page, 'ENG4U').first().locator('.tone-green')).toHaveText('active');
  await expect(course(page, 'ENG4U').first()).toContainText('The office has approved your enrollment. The course starts on');
  await expect(course(page, 'ENG4U').last()).toContainText('withdrawn');
});

test('the dates start with the next semester, others with today for four months, the end follows the start, and wrong ones are refused', async ({ page, school }) => {
  await page.clock.setFixedTime(new Date('2026-10-31T15:00:00-04:00'));
  // The server uses the real date; these are its bounds.
  const bounds = { earliestStart: '2026-09-05', latestStart: '2028-04-30', maxMonths: 24 };
  await page.route('**/api/students/enrollments/dates', (route) => route.fulfill({ json: bounds }));
  await signedIn(page, school, 'planner');
  await openEnroll(page, 'SCH3U');
  const [start, end] = [dialog(page).getByLabel('Start date'), dialog(page).getByLabel('End date')];
  const { semesters } = (await (await page.request.get(`${school.url}/api/school`)).json()) as { semesters: { name: string; startDate: string; endDate: string }[] };
  const [first, second] = semesters;
  if (!first || !second) throw new Error('the demo school has published semesters');
  await expect(dialog(page).getByRole('radio', { name: first.name })).toBeChecked();
  await expect(start).toHaveValue(first.startDate);
  await expect(end).toHaveValue(first.endDate);
  await dialog(page).getByRole('radio', { name: second.name }).check();
  await expect(start).toHaveValue(second.startDate);
  await expect(end).toHaveValue(second.endDate);
  await dialog(page).getByRole('radio', { name: 'Other dates' }).check();
  await expect(start).toHaveValue('2026-10-31');
  await expect(end).toHaveValue('2027-02-28');
  await expect(end).toHaveAccessibleDescription('Typical course length is 4 months');
  await start.fill('2027-01-15');
  await expect(end).toHaveValue('2027-05-15');
  await end.fill('2027-06-30');
  await start.fill('2027-02-01');
  await expect(end).toHaveValue('2027-06-30');
  await end.fill('');
  await start.fill('2027-03-01');
  await expect(end).toHaveValue('2027-07-01');

  const submit = dialog(page).getByRole('button', { name: 'Submit Enrollment' });
  await start.fill('');
  await end.fill('');
  await submit.click();
  const summary = dialog(page).getByRole('alert');
  await expect(summary).toBeFocused();
  await expect(summary.getByRole('link')).toHaveText(['Start date is required', 'End date is required']);
  await expectSoundInEveryLook(page);
  await start.fill('2027-02-01');
  await expect(start).not.toHaveAttribute('aria-invalid', 'true');
  await end.fill('2027-02-01');
  await expect(end).toHaveAccessibleDescription(/End date must be after start date/);
  await end.fill('2027-02-02');
  await expect(end).not.toHaveAttribute('aria-invalid', 'true');

  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog', { name: 'Leave without saving?' })).toBeVisible();
  await page.getByRole('button', { name: 'Keep Editing' }).click();
  await expect(end).toHaveValue('2027-02-02');
});

for (const [name, given, words] of [
  ['refused', { status: 409, json: { message: 'You have already requested this course. The office has your request.' } }, 'The office has your request.'],
  ['for a course that is gone', { status: 400, json: { message: 'Please correct the highlighted fields.', fields: { courseId: 'This course is not offered any more' } } }, 'This course is not offered any more'],
  ['that breaks the server', { status: 500, body: '<html>boom</html>' }, 'Your enrollment could not be submitted. Please try again.'],
] as const) {
  test(`a request ${name} is reported and keeps its dates`, async ({ page, school }) => {
    await asDemoStudent(page, school);
    await answer(page, 'POST', '/api/students/enrollments', given);
    await openEnroll(page, 'SBI3U');
    await dialog(page).getByLabel('End date').fill('2030-01-31');
    await dialog(page).getByRole('button', { name: 'Submit Enrollment' }).click();
    await expectToast(page, 'Enrollment Failed', words);
    await expect(dialog(page).locator('form')).toContainText(words);
    await expect(page.getByText('boom')).toHaveCount(0);
    await expect(dialog(page).getByLabel('End date')).toHaveValue('2030-01-31');
  });
}

test('two clicks send one request, and the button says what happens', async ({ page, school }) => {
  await signedIn(page, school, 'doubler');
  const held = await hold(page, '**/api/students/enrollments', 'POST');
  await openEnroll(page, 'AVI1O');
  await dialog(page).getByRole('button', { name: 'Submit Enrollment' }).dblclick();
  await dialog(page).getByRole('button', { name: 'Submitting...' }).click({ force: true });
  await dialog(page).getByLabel('Start date').press('Enter');
  held.release();
  await expectToast(page, 'Enrollment Submitted');
  expect(held.count()).toBe(1);
});

test('a session that ends under the open dialog loses neither dates nor place', async ({ page, school }) => {
  const person = await signedIn(page, school, 'dozer');
  await openEnroll(page, 'MPM2D');
  await dialog(page).getByLabel('Start date').fill('2027-03-03');
  await endSession(page);
  await dialog(page).getByRole('button', { name: 'Submit Enrollment' }).click();
  await logInAgain(page, person.password);
  await expect(dialog(page).getByLabel('Start date')).toHaveValue('2027-03-03');
  await dialog(page).getByRole('button', { name: 'Submit Enrollment' }).click();
  await expectToast(page, 'Enrollment Submitted');
  await expect(page).toHaveURL(/\/student\/courses\?q=MPM2D$/);
});

test('a catalogue that cannot be loaded, is empty, or has no price says so', async ({ page, school }) => {
  await asDemoStudent(page, school);
  await answer(page, 'GET', '/api/courses', { status: 500, body: 'boom' });
  await page.goto('/student/courses');
  await expect(page.getByRole('alert')).toContainText('Error loading courses. Please try again later.');
  await expectSoundInEveryLook(page);
  await page.unroute('**/api/courses');
  await answer(page, 'GET', '/api/courses', { json: [] });
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByRole('heading', { name: 'No courses are offered at this time' })).toBeVisible();
  await page.unroute('**/api/courses');
  await answer(page, 'GET', '/api/courses', {
    json: [{ id: 900, code: 'XYZ1O', name: 'New', description: 'Not priced yet.', grade: 9, subject: 'Other Courses', level: 'O', courseType: 'Open', isCompulsory: false, prerequisite: null, price: null, credits: 0.5 }],
  });
  await answer(page, 'GET', '/api/students/enrollments', { status: 500, body: 'boom' });
  const held = await hold(page, '**/api/students/enrollments');
  await page.goto('/student/courses');
  await expect(page.getByLabel('Loading courses').getByRole('listitem')).toHaveCount(5);
  held.release();
  await expect(course(page, 'XYZ1O')).toContainText('PriceAsk the officeCredits0.5');
  await expect(page.getByRole('alert')).toContainText('Failed to load your enrollments.');
});

test('if nothing loads, one message says so, with one retry', async ({ page, school }) => {
  await asDemoStudent(page, school);
  const failing = ['/api/courses', '/api/students/enrollments'];
  for (const list of failing) await answer(page, 'GET', list, { status: 500, body: 'boom' });
  await page.goto('/student/courses?grade=11&q=CHEM');
  await expect(page.getByText('Error loading courses. Please try again later.')).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(1);
  for (const list of failing) await page.unroute(`**${list}`);
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(course(page, 'SCH3U').getByRole('button', { name: 'Repeat This Course' })).toBeEnabled();
  await expect(page.getByRole('region', { name: 'Courses', exact: true })).toBeFocused();
  await expect(page.getByRole('heading', { level: 2 })).toHaveText(['Grade 11']);
});

test('a request already decided by the office is not withdrawn', async ({ page, school }) => {
  const person = await signedIn(page, school, 'latecomer');
  await requestCourses(person, ['ENG4U']);
  await page.goto('/student/dashboard?tab=courses');
  await expect(course(page, 'ENG4U').getByRole('progressbar')).toHaveAttribute('value', '0');
  const office = await newStaff(school);
  await office.post(`/api/admin/enrollments/${(await newest(person)).id}/approve`);
  await page.getByRole('button', { name: 'Withdraw Request' }).click();
  await expectSoundInEveryLook(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Withdraw Request' }).click();
  await expectToast(page, 'Withdrawal Failed', 'The office has already approved this enrollment.');
  await expect(course(page, 'ENG4U')).toContainText(`The office has approved your enrollment. The course starts on ${shown(term.startDate)}.`);
  await expect(page.getByRole('heading', { name: 'My Courses' })).toBeFocused();
});

test('progress and days remaining follow the calendar', async ({ page, school }) => {
  await asDemoStudent(page, school);
  const enrollment = { id: 1, courseId: 1, course: { name: 'English', code: 'ENG4U', grade: 12, credits: 1, price: '749.00' }, status: 'active', startDate: '2026-09-08', endDate: '2027-01-22' };
  await answer(page, 'GET', '/api/students/enrollments', { json: [enrollment] });
  for (const [today, percent, left] of [['2026-09-07', 0, 137], ['2026-11-21', 54, 62], ['2027-01-22', 100, 0]] as const) {
    await page.clock.setFixedTime(new Date(`${today}T12:00:00`));
    await page.goto('/student/dashboard?tab=courses');
    await expect(page.getByRole('progressbar', { name: 'Progress in ENG4U' })).toHaveAttribute('value', String(percent));
    await expect(course(page, 'ENG4U')).toContainText(`${percent}%`);
    await expect(course(page, 'ENG4U')).toContainText(`Days remaining${left} days`);
  }
});

test('the keyboard alone requests a course', async ({ page, school }) => {
  await signedIn(page, school, 'typist');
  await page.goto('/student/courses?q=icd2o');
  const enroll = page.getByRole('button', { name: 'Enroll Now' });
  await expect(enroll).toBeVisible();
  await page.getByLabel('Search by name or code').focus();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect(enroll).toBeFocused();
  await page.keyboard.press('Enter');
  await dialog(page).getByLabel('End date').focus();
  await page.keyboard.press('Enter');
  await expectToast(page, 'Enrollment Submitted');
  await expect(page.getByRole('heading', { level: 4 })).toBeFocused();
});
