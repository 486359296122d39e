// The office's door and its morning: login, the three figures, the requests that wait.
import type { Page } from '@playwright/test';
import { newStudent, requestCourses } from './people.ts';
import { dress, expect, expectSound, expectToast, letters, logInStaff, logInStudent, looks, type School, test } from './school.ts';

const failed = 'Failed to load dashboard data. Please try again later.';
const rows = (page: Page) => page.getByRole('table', { name: 'Pending Enrollment Requests' }).getByRole('rowgroup').nth(1).getByRole('row');

/** Reads a card's figure. */
const figure = (page: Page, title: string) =>
  page.locator('section').filter({ has: page.getByRole('heading', { name: title, exact: true }) }).locator('strong');

for (const look of looks) {
  test(`the login names what is missing at ${look.width} in ${look.colorScheme}`, async ({ page }) => {
    await dress(page, look);
    await page.goto('/admin/login');
    await expectSound(page);
    await expect(page.getByText(/demo|credential/i)).toHaveCount(0);
    await page.getByRole('button', { name: 'Login', exact: true }).click();
    const summary = page.getByRole('alert');
    await expect(summary).toBeFocused();
    await expect(page.getByLabel('Username')).toHaveAccessibleDescription('Username is required');
    await expect(page.getByLabel('Password', { exact: true })).toHaveAccessibleDescription('Password is required');
    await expectSound(page);
    await summary.getByRole('link', { name: 'Password is required' }).click();
    await expect(page.getByLabel('Password', { exact: true })).toBeFocused();
  });

  test(`the dashboard is sound at ${look.width} in ${look.colorScheme}`, async ({ page, school }) => {
    await dress(page, look);
    await logInStaff(page, school);
    await expect(rows(page)).toHaveCount(1);
    await expect(page).toHaveTitle('Admin Portal · Northgate Academy');
    await expectSound(page);
    if (look.width > 600) return;
    await page.getByRole('button', { name: 'Open menu' }).click();
    await expect(page.getByRole('dialog', { name: 'Office' })).toBeVisible();
    await expectSound(page);
    await page.getByRole('link', { name: 'Documents', exact: true }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Student Documents' })).toBeFocused();
    await expect(page.getByRole('dialog')).toHaveCount(0);
  });
}

test('wrong credentials are refused in words, the right ones let in, and then there is no login any more', async ({ page, school }) => {
  await page.goto('/admin/login');
  const password = page.getByLabel('Password', { exact: true });
  await page.getByLabel('Username').fill(school.staff.username);
  await password.fill('not the password');
  await page.getByRole('button', { name: 'Show password' }).click();
  await expect(password).toHaveAttribute('type', 'text');
  await page.getByRole('button', { name: 'Hide password' }).click();
  await expect(password).toHaveAttribute('type', 'password');
  await page.getByRole('button', { name: 'Login', exact: true }).click();
  await expectToast(page, 'Login failed', 'Invalid username or password');
  await expect(password).toHaveValue('not the password');
  await password.fill(school.staff.password);
  await password.press('Enter');
  await expectToast(page, 'Login successful', 'Welcome to the admin portal');
  await expect(page).toHaveURL(/\/admin\/dashboard$/);
  await expect(page.getByRole('heading', { level: 1, name: 'Admin Portal' })).toBeFocused();
  await page.goto('/admin/login');
  await expect(page).toHaveURL(/\/admin\/dashboard$/);
});

test('the button says that it is logging in, and a server without words gets the page’s own', async ({ page }) => {
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  let requests = 0;
  await page.route('**/api/login', async (route) => {
    requests += 1;
    await held;
    await route.fulfill({ status: 500, contentType: 'text/html', body: '<h1>boom</h1>' });
  });
  await page.goto('/admin/login');
  await page.getByLabel('Username').fill('office');
  await page.getByLabel('Password', { exact: true }).fill('x');
  await page.getByRole('button', { name: 'Login', exact: true }).dblclick();
  await expect(page.getByRole('button', { name: 'Logging in...' })).toBeVisible();
  release();
  await expectToast(page, 'Login failed', 'Invalid username or password');
  await expect(page.getByText('boom')).toHaveCount(0);
  expect(requests).toBe(1);
});

test('logged out, every page of the office leads to the login and back, every other to the login', async ({ page, school }) => {
  for (const path of ['/admin', '/admin/nothing', '/admin/dashboard']) {
    await page.goto(path);
    await expect(page).toHaveURL(/\/admin\/login$/);
  }
  await page.goto('/admin/documents?q=passport');
  await expect(page).toHaveURL(/\/admin\/login\?next=/);
  await page.getByLabel('Username').fill(school.staff.username);
  await page.getByLabel('Password', { exact: true }).fill(school.staff.password);
  await page.getByRole('button', { name: 'Login', exact: true }).click();
  await expect(page).toHaveURL(/\/admin\/documents\?q=passport$/);
});

test('a fresh school has nothing pending, nothing due, and says so', async ({ page, fresh }) => {
  await logInStaff(page, fresh);
  await expect(page.getByText('No pending enrollment requests at this time')).toBeVisible();
  for (const [title, value, words] of [
    ['Pending Enrollments', '0', 'Course enrollments awaiting approval'],
    ['Approved Enrollments', '0', 'Total active course enrollments'],
    ['Total Fee Due', '$0.00', 'Total outstanding course fees'],
  ] as const) {
    await expect(figure(page, title)).toHaveText(value);
    await expect(page.getByText(words)).toBeVisible();
  }
  const quick = page.getByRole('region', { name: 'Quick Access' });
  for (const [link, path] of [
    ['View Requests', '/admin/admission-requests'],
    ['Manage Courses', '/admin/courses'],
    ['View Documents', '/admin/documents'],
    ['View Messages', '/admin/messages'],
  ] as const) {
    await expect(quick.getByRole('link', { name: link })).toHaveAttribute('href', path);
  }
  await expectSound(page);
});

test('the student’s request and the office’s approval meet in two browsers', async ({ browser, fresh }) => {
  const person = await newStudent(fresh, 'zoe');
  const [desk, phone] = [await (await browser.newContext()).newPage(), await (await browser.newContext({ viewport: { width: 390, height: 844 } })).newPage()];
  await logInStudent(phone, fresh, person);
  await requestCourses(person, ['ENG4U', 'MHF4U']);
  await logInStaff(desk, fresh);
  await expect(figure(desk, 'Pending Enrollments')).toHaveText('2');
  await expect(rows(desk)).toHaveCount(2);
  const row = rows(desk).filter({ hasText: 'ENG4U' });
  for (const text of ['Zoë Nguyễn-Tremblay', 'zoe@mail.example', '12', 'Feb 1, 2027', 'Jun 1, 2027', 'pending']) {
    await expect(row).toContainText(text);
  }
  const fee = await row.getByRole('cell').nth(5).innerText();
  expect(fee).toMatch(/^\$\d+\.\d\d$/);
  await row.getByRole('button', { name: 'Approve' }).click();
  await expectToast(desk, 'Enrollment approved', 'The student enrollment has been approved successfully.');
  await expect(desk.getByRole('heading', { name: 'Pending Enrollment Requests' })).toBeFocused();
  await expect(rows(desk)).toHaveCount(1);
  await expect(figure(desk, 'Pending Enrollments')).toHaveText('1');
  await expect(figure(desk, 'Approved Enrollments')).toHaveText('1');
  await expect(figure(desk, 'Total Fee Due')).toHaveText(fee);
  await phone.goto(`${fresh.url}/student/dashboard?tab=courses`);
  const courses = phone.getByRole('tabpanel');
  await expect(courses.getByText('active', { exact: true })).toHaveCount(1);
  await expect(courses.getByText('pending', { exact: true })).toHaveCount(1);
  await expect.poll(() => letters(fresh, 'zoe@mail.example').filter((text) => text.includes('Subject: Your enrollment is approved')).length).toBe(1);
});

/** Thirty requests of one student, as of a course each. */
async function thirtyRequests(school: School) {
  const person = await newStudent(school, 'many');
  const courses = (await (await person.calls.get('/api/courses')).json()) as { code: string }[];
  await requestCourses(person, courses.slice(0, 30).map(({ code }) => code));
}

test('more requests than a page holds are turned, searched, and found again after a reload', async ({ page, fresh }) => {
  await thirtyRequests(fresh);
  await logInStaff(page, fresh);
  await expect(rows(page)).toHaveCount(25);
  await expect(page.getByText('1 to 25 of 30')).toBeVisible();
  await page.getByRole('button', { name: 'Next' }).click();
  await expect(rows(page)).toHaveCount(5);
  await expect(page).toHaveURL(/\?page=2$/);
  await page.reload();
  await expect(rows(page)).toHaveCount(5);
  await page.goto(`${fresh.url}/admin/dashboard?page=99`);
  await expect(page, 'a page that is not there leads to the last one').toHaveURL(/\?page=2$/);
  const search = page.getByRole('searchbox');
  await search.fill('nguyen eng');
  await expect(page).toHaveURL(/q=nguyen/);
  await expect(rows(page).first()).toContainText('Nguyễn');
  await search.fill('nobody at all');
  await expect(page.getByText('No request matches your search')).toBeVisible();
  await expectSound(page);
  await page.reload();
  await expect(search).toHaveValue('nobody at all');
});

test('a request that was decided elsewhere is told and leaves the table', async ({ page, fresh }) => {
  const person = await newStudent(fresh, 'late');
  await requestCourses(person, ['ENG4U']);
  await logInStaff(page, fresh);
  await expect(rows(page)).toHaveCount(1);
  const own = (await (await person.calls.get('/api/students/enrollments')).json()) as { id: number }[];
  expect((await person.calls.post(`/api/students/enrollments/${own[0]?.id}/withdraw`)).ok()).toBe(true);
  await page.getByRole('button', { name: 'Approve' }).click();
  await expectToast(page, 'Failed to approve enrollment', 'This enrollment is withdrawn and can no longer be approved.');
  await expect(page.getByText('No pending enrollment requests at this time')).toBeVisible();
});

test('an approval that fails says so without the server’s insides', async ({ page, school }) => {
  await logInStaff(page, school);
  await page.route('**/approve', (route) => route.fulfill({ status: 500, body: '<html>panic at src/main.rs</html>' }));
  await page.getByRole('button', { name: 'Approve' }).click();
  await expectToast(page, 'Failed to approve enrollment', 'An error occurred while approving the enrollment.');
  await expect(page.getByText('panic')).toHaveCount(0);
});

test('a dashboard that cannot be loaded says so and can be tried again', async ({ page, school }) => {
  await page.route('**/api/admin/dashboard', (route) => route.fulfill({ status: 500, body: 'oops' }));
  await page.route('**/api/admin/enrollments/pending*', (route) => route.abort('internetdisconnected'));
  await logInStaff(page, school);
  await expect(page.getByText(failed)).toHaveCount(2);
  await expectSound(page);
  await page.unrouteAll();
  for (const left of [1, 0]) {
    await page.getByRole('button', { name: 'Retry' }).first().click();
    await expect(page.getByText(failed)).toHaveCount(left);
  }
  await expect(rows(page)).toHaveCount(1);
});

test('slow figures and rows are awaited in sight', async ({ page, school }) => {
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/api/admin/enrollments/pending*', async (route) => {
    await held;
    await route.continue();
  });
  await logInStaff(page, school);
  await expect(page.getByText('Loading requests...')).toBeVisible();
  release();
  await expect(rows(page)).toHaveCount(1);
});
