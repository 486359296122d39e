// A course's own page, and the catalogue that leads to it.
import { asDemoStudent, newStaff, newStudent } from '../actors.ts';
import { term } from '../enrollments/actions.ts';
import { expectNoOverflow, expectSoundInEveryLook } from '../looks.ts';
import { disconnect } from '../network.ts';
import { expect, test } from '../school.ts';

test('the catalogue leads to a course, its prerequisites and its successors', async ({ page }) => {
  await page.goto('/courses?grade=12');
  await page.getByRole('tabpanel').getByRole('link', { name: 'Advanced Functions' }).click();
  await expect(page).toHaveURL(/\/courses\/MHF4U$/);
  await expect(page).toHaveTitle('Advanced Functions (MHF4U) · Northgate Academy');
  await expect(page.getByRole('heading', { level: 1, name: 'Advanced Functions' })).toBeFocused();
  await expect(page.getByRole('list', { name: 'The usual path here:' })).toContainText(/MTH1W.*MPM2D.*MCR3U.*MHF4U/s);
  await expect(page.getByRole('region', { name: 'Reading MHF4U' })).toContainText('University Preparation');
  await expect(page.getByRole('complementary', { name: 'At a glance' })).toContainText('Fees differ by delivery: ask the school');
  await page.getByRole('region', { name: 'Where It Leads' }).getByRole('link', { name: 'Calculus and Vectors' }).click();
  await expect(page).toHaveTitle('Calculus and Vectors (MCV4U) · Northgate Academy');
  await page.getByRole('region', { name: 'Before This Course' }).getByRole('link', { name: 'Advanced Functions' }).click();
  await expect(page).toHaveURL(/\/courses\/MHF4U$/);
  await page.getByRole('link', { name: 'Grade 12 courses' }).first().click();
  await expect(page.getByRole('tab', { name: 'Grade 12' })).toHaveAttribute('aria-selected', 'true');
});

test('Enroll leads a visitor through the login to the request', async ({ page, school }) => {
  await page.goto('/courses/ENG4U');
  await page.getByRole('link', { name: 'Enroll in This Course' }).click();
  await expect(page).toHaveURL(/\/student\/auth\?next=/);
  await page.getByLabel('Email', { exact: true }).fill(school.student.email);
  await page.getByLabel('Password', { exact: true }).fill(school.student.password);
  await page.getByRole('button', { name: 'Login', exact: true }).click();
  await expect(page).toHaveURL(/\/student\/courses\?grade=all&q=ENG4U$/);
  await expect(page.getByRole('heading', { level: 4, name: 'English' })).toBeVisible();
});

test('a student finds the page of a course from the list of those on offer', async ({ page, school }) => {
  await asDemoStudent(page, school);
  await page.goto('/student/courses?grade=all&q=MCV4U');
  await page.getByRole('link', { name: 'Calculus and Vectors' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Calculus and Vectors' })).toBeVisible();
});

for (const address of ['/courses/MHF4U', '/courses/HZT4U', '/courses/ENL1W', '/courses/ESLCO', '/courses?grade=12', '/courses?grade=11&level=College&q=math']) {
  test(`${address} is sound in every look`, async ({ page }) => {
    await page.goto(address);
    await expectSoundInEveryLook(page);
  });
}

test('an unknown code shows the 404 page, typed or followed', async ({ page }) => {
  expect((await page.goto('/courses/NOSUCH'))?.status()).toBe(404);
  await expect(page).toHaveTitle('Page Not Found · Northgate Academy');
  await expect(page.getByRole('heading', { name: '404 Page Not Found' })).toBeVisible();
  await page.goto('/courses?grade=12');
  await page.route('**/api/courses/MHF4U', (route) => route.fulfill({ status: 404, json: { message: 'Course not found' } }));
  await page.getByRole('tabpanel').getByRole('link', { name: 'Advanced Functions' }).click();
  await expect(page.getByRole('heading', { name: '404 Page Not Found' })).toBeVisible();
  await expect(page.getByRole('main'), 'where the heading was that had the focus').toBeFocused();
});

test('an archived course suggests alternatives', async ({ page, fresh }) => {
  const [staff, student] = [await newStaff(fresh), await newStudent(fresh, 'archived')];
  const courses = (await (await staff.get('/api/admin/courses')).json()) as { id: number; code: string }[];
  const taken = courses.find(({ code }) => code === 'ENG4U');
  // A requested course is archived, not deleted: its page stays.
  const asked = await student.calls.post('/api/students/enrollments', { data: { courseId: taken?.id, ...term } });
  expect(asked.ok(), await asked.text()).toBe(true);
  expect((await staff.delete(`/api/admin/courses/${taken?.id}`)).ok()).toBe(true);
  expect((await page.goto(`${fresh.url}/courses/${taken?.code}`))?.status()).toBe(410);
  await expect(page.getByRole('heading', { name: 'Other Courses of the Subject' })).toBeVisible();
  await expectSoundInEveryLook(page);
  const instead = page.getByRole('main').getByRole('listitem').first().getByRole('link');
  const name = await instead.textContent();
  await instead.click();
  await expect(page.getByRole('heading', { level: 1, name: name ?? '' })).toBeVisible();
});

test('a course that fails to load offline loads on a retry', async ({ page }) => {
  await page.goto('/courses?grade=12');
  await disconnect(page, '**/api/courses/MHF4U');
  await page.getByRole('tabpanel').getByRole('link', { name: 'Advanced Functions' }).click();
  await expect(page.getByText('Failed to load the course. Please try again later.')).toBeVisible();
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Advanced Functions' })).toBeVisible();
});

test('the subject index is sticky and links to each subject', async ({ page }) => {
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 844 });
    await page.goto('/courses?grade=12');
    const index = page.getByRole('navigation', { name: 'Subjects' });
    await index.getByRole('link', { name: 'Science', exact: true }).click();
    const heading = page.getByRole('heading', { level: 3, name: 'Science', exact: true });
    await expect(heading).toBeFocused();
    await expect(heading).toBeInViewport();
    await expect(index.getByRole('link', { name: 'Science', exact: true }), 'it stuck').toBeInViewport();
    const [nav, title] = [await index.boundingBox(), await heading.boundingBox()];
    if (width === 390) expect(title?.y, 'the index does not lie over it').toBeGreaterThanOrEqual((nav?.y ?? 0) + (nav?.height ?? 0));
  }
});

test('a grade is compact on a phone, and the whole row leads to the course', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/courses?grade=12');
  expect(await page.evaluate(() => document.documentElement.scrollHeight), 'it was 20,000').toBeLessThan(9000);
  await expectNoOverflow(page);
  const row = page.locator('li.offer').filter({ hasText: 'MCV4U' });
  const box = await row.boundingBox();
  await row.click({ position: { x: (box?.width ?? 0) - 8, y: 8 } });
  await expect(page).toHaveURL(/\/courses\/MCV4U$/);
});

test('a course prints without its controls', async ({ page }) => {
  await page.goto('/courses/MHF4U');
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('button', { name: 'Print' })).toBeHidden();
  await expect(page.getByText('Enroll in This Course')).toBeHidden();
  await expect(page.getByText('University Preparation').first()).toBeVisible();
  await page.emulateMedia({ media: 'screen' });
  await page.goto('/courses?grade=12');
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('list', { name: 'Level' })).toBeHidden();
  const list = page.getByRole('region', { name: 'Mathematics' }).getByRole('list');
  expect((await list.boundingBox())?.width, 'the whole width of the paper').toBeGreaterThan(1000);
});
