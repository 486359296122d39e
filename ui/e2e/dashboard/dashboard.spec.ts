// The dashboard: three figures and the pending requests.
import type { Page } from '@playwright/test';
import { asRole, enter, newStudent, signIn } from '../actors.ts';
import { requestCourses, shown, term, thirtyRequests } from '../enrollments/actions.ts';
import { expectSound, expectSoundInEveryLook, looks } from '../looks.ts';
import { emails } from '../mail.ts';
import { hold } from '../network.ts';
import { expect, expectToast, test } from '../school.ts';
import { calm, problems, report } from './report.ts';

const dashboard = '/admin/dashboard';
const failed = 'Failed to load dashboard data. Please try again later.';
const rows = (page: Page) => page.getByRole('table', { name: 'Pending Enrollment Requests' }).getByRole('rowgroup').nth(1).getByRole('row');

/** A card's figure. */
const figure = (page: Page, title: string) =>
  page.locator('section').filter({ has: page.getByRole('heading', { name: title, exact: true }) }).locator('strong');

test('the dashboard is sound in every look, and so is its menu on a phone', async ({ page, school }) => {
  await enter(page, school, dashboard);
  await expect(rows(page)).toHaveCount(25);
  await expect(page).toHaveTitle('Admin Portal · Northgate Academy');
  await expectSoundInEveryLook(page);
  await page.setViewportSize({ width: 390, height: 900 });
  await page.getByRole('button', { name: 'Open menu' }).click();
  await expect(page.getByRole('dialog', { name: 'Office' })).toBeVisible();
  await expectSoundInEveryLook(page, looks.filter(({ width }) => width === 390));
  await page.getByRole('link', { name: 'Documents', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Student Documents' })).toBeFocused();
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('a fresh school has nothing pending, nothing due, and says so', async ({ page, fresh }) => {
  await enter(page, fresh, dashboard);
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

test('the fee total links to the balances, for roles that may read them', async ({ page, school }) => {
  await enter(page, school, dashboard);
  await expect(figure(page, 'Total Fee Due').getByRole('link')).toHaveAttribute('href', '/admin/students?sort=-balance');
  await asRole(page, 'viewer', ['admissions', 'records']);
  const asked: string[] = [];
  page.on('request', (request) => void asked.push(request.url()));
  await page.reload();
  await expect(figure(page, 'Total Fee Due')).toHaveText(/^\$[\d,]+\.\d\d$/);
  await expect(figure(page, 'Pending Enrollments').getByRole('link')).toHaveCount(1);
  await expect(figure(page, 'Total Fee Due').getByRole('link')).toHaveCount(0);
  // An address with another role's sort order falls back to names.
  await page.goto('/admin/students?sort=-balance');
  await expect(page.getByRole('columnheader', { name: 'Name' })).toHaveAttribute('aria-sort', 'ascending');
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  expect(asked.filter((url) => /\/api\/admin\/students\?.*balance/.test(url))).toEqual([]);
});

const done = { lastBackupAt: '2026-10-02T06:31:00Z', lastDrillAt: '2026-10-02T06:32:00Z', hasFailed: false, isLate: false };

test('server problems are reported, and sound in every look', async ({ page, school }) => {
  await report(page, { ...problems, backup: { ...done, hasFailed: true, isLate: true } });
  await enter(page, school, dashboard);
  await expect(page.getByText('The site is in read-only mode')).toBeVisible();
  await expect(page.getByText('The backup is overdue')).toBeVisible();
  await expect(page.getByText('Last backup: Oct 2, 2026, 2:31 AM, checked. Please tell')).toBeVisible();
  await expectSoundInEveryLook(page);
  await report(page, { ...calm, backup: done });
  await page.reload();
  await expect(page.getByText('Last backup: Oct 2, 2026, 2:31 AM, checked.')).toBeVisible();
  await expect(page.getByText('not being backed up')).toHaveCount(0);
  await expect(page.getByText('not changed')).toHaveCount(0);
  await expectSoundInEveryLook(page, looks.filter(({ width }) => width === 390));
});

test('a fresh school is backed up at night, and the demo never', async ({ page, fresh, school }) => {
  await enter(page, fresh, dashboard);
  await expect(page.getByText('No backup yet. The first one is made overnight.')).toBeVisible();
  await enter(page, school, dashboard);
  await expect(page.getByRole('region', { name: 'Quick Access' })).toBeVisible();
  await expect(page.getByText(/backup/i)).toHaveCount(0);
});

test('the student’s request and the office’s approval meet in two browsers', async ({ browser, fresh }) => {
  const person = await newStudent(fresh, 'zoe');
  const [desk, phone] = [await (await browser.newContext()).newPage(), await (await browser.newContext({ viewport: { width: 390, height: 844 } })).newPage()];
  await signIn(phone, person);
  await requestCourses(person, ['ENG4U', 'MHF4U']);
  await enter(desk, fresh, dashboard);
  await expect(figure(desk, 'Pending Enrollments')).toHaveText('2');
  await expect(rows(desk)).toHaveCount(2);
  const row = rows(desk).filter({ hasText: 'ENG4U' });
  for (const text of ['Zoë Nguyễn-Tremblay', 'zoe@mail.example', '12', shown(term.startDate), shown(term.endDate), 'pending']) {
    await expect(row).toContainText(text);
  }
  const fee = await row.getByRole('cell').nth(6).innerText();
  expect(fee).toMatch(/^\$\d+\.\d\d$/);
  await row.getByRole('button', { name: 'Approve' }).click();
  await expectToast(desk, 'Enrollment approved', 'The student enrollment has been approved successfully.');
  await expect(rows(desk).filter({ hasText: 'MHF4U' }).getByRole('button', { name: 'Approve' })).toBeFocused();
  await expect(rows(desk)).toHaveCount(2);
  await expect(row.getByText('active', { exact: true })).toBeVisible();
  await expect(row).not.toContainText('pending');
  await expect(row.getByRole('button', { name: 'Approve' })).toHaveCount(0);
  await expect(desk.getByText('1 request', { exact: true })).toBeVisible();
  await expect(figure(desk, 'Pending Enrollments')).toHaveText('1');
  await expect(figure(desk, 'Approved Enrollments')).toHaveText('1');
  await expect(figure(desk, 'Total Fee Due')).toHaveText(fee);
  await phone.goto(`${fresh.url}/student/dashboard?tab=courses`);
  const courses = phone.getByRole('tabpanel');
  await expect(courses.getByText('active', { exact: true })).toHaveCount(1);
  await expect(courses.getByText('pending', { exact: true })).toHaveCount(1);
  await expect.poll(() => emails(fresh, 'zoe@mail.example').filter((text) => text.includes('Subject: Your enrollment is approved')).length).toBe(1);
});

test('many requests are paged, searched, and kept across a reload', async ({ page, fresh }) => {
  await thirtyRequests(fresh);
  await enter(page, fresh, dashboard);
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
  await search.fill('no such student');
  await expect(page.getByText('No request matches your search')).toBeVisible();
  await expectSound(page);
  await page.reload();
  await expect(search).toHaveValue('no such student');
});

test('typing while a request is approved keeps the focus', async ({ page, school }) => {
  await enter(page, school, dashboard);
  await page.route('**/approve', (route) => route.fulfill({ json: {} }));
  const held = await hold(page, '**/approve');
  await rows(page).filter({ hasText: 'Amara' }).getByRole('button', { name: 'Approve' }).click();
  await page.getByRole('searchbox').pressSequentially('am');
  held.release();
  await expectToast(page, 'Enrollment approved');
  await page.keyboard.type('ara');
  await expect(page.getByRole('searchbox')).toHaveValue('amara');
});

for (const [path, name] of [['/admin/dashboard', 'Approve'], ['/admin/documents', /View Document/], ['/admin/admission-requests', /View Request/]] as const) {
  test(`every button of a row of ${path} can be reached, however wide the window`, async ({ page, school }) => {
    await enter(page, school, path);
    const button = page.getByRole('table').getByRole(path.endsWith('dashboard') ? 'button' : 'link', { name }).first();
    for (const width of [1280, 1240, 1150, 1100, 1040, 960, 900, 700]) {
      await page.setViewportSize({ width, height: 900 });
      await button.scrollIntoViewIfNeeded();
      const [box, card] = [await button.boundingBox(), await page.locator('.list-card').boundingBox()];
      expect((box?.x ?? 0) + (box?.width ?? 0), `at ${width}`).toBeLessThanOrEqual((card?.x ?? 0) + (card?.width ?? 0));
    }
  });
}

test('a request decided elsewhere says so on its row', async ({ page, fresh }) => {
  const person = await newStudent(fresh, 'late');
  await requestCourses(person, ['ENG4U']);
  await enter(page, fresh, dashboard);
  await expect(rows(page)).toHaveCount(1);
  const own = (await (await person.calls.get('/api/students/enrollments')).json()) as { id: number }[];
  expect((await person.calls.post(`/api/students/enrollments/${own[0]?.id}/withdraw`)).ok()).toBe(true);
  await page.getByRole('button', { name: 'Approve' }).click();
  await expectToast(page, 'Failed to approve enrollment', 'This enrollment is withdrawn and can no longer be approved.');
  const row = rows(page).first();
  await expect(row.getByText('withdrawn', { exact: true })).toBeVisible();
  await expect(row).toContainText('Already decided');
  await expectSound(page);
  await page.getByRole('button', { name: 'Show the next ones' }).click();
  await expect(page.getByText('No pending enrollment requests at this time')).toBeVisible();
});

test('a failed approval says so without server details', async ({ page, school }) => {
  await enter(page, school, dashboard);
  await page.route('**/approve', (route) => route.fulfill({ status: 500, body: '<html>panic at src/main.rs</html>' }));
  await rows(page).filter({ hasText: 'Amara' }).getByRole('button', { name: 'Approve' }).click();
  await expectToast(page, 'Failed to approve enrollment', 'An error occurred while approving the enrollment.');
  await expect(page.getByText('panic')).toHaveCount(0);
});

test('a dashboard that cannot be loaded says so and can be tried again', async ({ page, school }) => {
  await page.route('**/api/admin/dashboard', (route) => route.fulfill({ status: 500, body: 'oops' }));
  await page.route('**/api/admin/enrollments?*', (route) => route.abort('internetdisconnected'));
  await enter(page, school, dashboard);
  await expect(page.getByText(failed)).toHaveCount(1);
  await expectSound(page);
  const retry = page.getByRole('button', { name: 'Retry' });
  await page.unroute('**/api/admin/enrollments?*');
  await retry.click();
  await expect(rows(page)).toHaveCount(25);
  await expect(page.getByText(failed), 'the figures are still missing').toHaveCount(1);
  await page.unrouteAll();
  await retry.click();
  await expect(page.getByText(failed)).toHaveCount(0);
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await expect(figure(page, 'Pending Enrollments')).toHaveText(/^4\d$/);
});

test('a list that fails alone says so in its place, with a retry', async ({ page, school }) => {
  await page.route('**/api/admin/enrollments?*', (route) => route.fulfill({ status: 500, body: 'oops' }));
  await enter(page, school, dashboard);
  await expect(page.getByRole('region', { name: 'Pending Enrollment Requests' }).getByText(failed)).toBeVisible();
  await expect(page.getByText(failed)).toHaveCount(1);
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(rows(page)).toHaveCount(25);
});

test('slow figures and rows show that they load', async ({ page, school }) => {
  const held = await hold(page, '**/api/admin/enrollments?*');
  await enter(page, school, dashboard);
  await expect(page.getByText('Loading requests...')).toBeVisible();
  held.release();
  await expect(rows(page)).toHaveCount(25);
});
