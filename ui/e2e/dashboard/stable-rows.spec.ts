// The rows of the request table never move, whatever the dashboard reports later.
import type { Page } from '@playwright/test';
import { asRole, enter, newStaff, newStudent } from '../actors.ts';
import { requestCourses } from '../enrollments/actions.ts';
import { expectSound } from '../looks.ts';
import { hold } from '../network.ts';
import { expect, expectToast, type School, test } from '../school.ts';
import { calm, problems, report } from './report.ts';

const rows = (page: Page) => page.getByRole('table', { name: 'Pending Enrollment Requests' }).getByRole('rowgroup').nth(1).getByRole('row');
const failed = 'Failed to load dashboard data. Please try again later.';

const titles = [
  'The site is in read-only mode',
  'Mail is not being delivered',
  'The school’s emails for the day were used up',
  'The backup is overdue',
];

async function threeRequests(school: School) {
  await requestCourses(await newStudent(school, 'still'), ['ENG4U', 'MHF4U', 'SCH4U']);
}

/** Page coordinates of the rows. */
const places = (page: Page) =>
  rows(page).evaluateAll((all) =>
    all.map((row) => {
      const { top, height } = row.getBoundingClientRect();
      return { top: Math.round(top + window.scrollY), height: Math.round(height) };
    }),
  );

/** Whether a text is below the table. */
const isBelow = async (page: Page, text: string) => {
  const table = page.getByRole('region', { name: 'Pending Enrollment Requests' });
  const [notice, card] = [await page.getByText(text).boundingBox(), await table.boundingBox()];
  return (notice?.y ?? 0) >= (card?.y ?? 0) + (card?.height ?? 0);
};

for (const width of [1280, 768, 390]) {
  test(`a notice after an approval moves no row at ${width}`, async ({ page, fresh }) => {
    await page.setViewportSize({ width, height: 900 });
    await threeRequests(fresh);
    await report(page, calm);
    await enter(page, fresh, '/admin/dashboard');
    await expect(rows(page)).toHaveCount(3);
    const before = await places(page);
    await report(page, problems);
    await rows(page).first().getByRole('button', { name: 'Approve' }).click();
    await expectToast(page, 'Enrollment approved');
    await expect(page.getByText('Plus 12 unpriced enrollments')).toBeVisible();
    for (const title of titles) expect(await isBelow(page, title), title).toBe(true);
    expect(await places(page)).toEqual(before);
    // Nothing moves when it is gone.
    await report(page, calm);
    await rows(page).nth(1).getByRole('button', { name: 'Approve' }).click();
    await expect(page.getByText(titles[0] ?? '')).toHaveCount(0);
    expect(await places(page)).toEqual(before);
  });
}

test('on a fresh visit the notices come first, and stay while the page is open', async ({ page, fresh }) => {
  await threeRequests(fresh);
  await report(page, problems);
  await enter(page, fresh, '/admin/dashboard');
  await expect(rows(page)).toHaveCount(3);
  const before = await places(page);
  for (const title of titles) expect(await isBelow(page, title), title).toBe(false);
  await report(page, calm);
  await rows(page).first().getByRole('button', { name: 'Approve' }).click();
  await expect(page.getByText('Plus 12 unpriced enrollments')).toHaveCount(0);
  for (const title of titles) await expect(page.getByText(title)).toHaveCount(1);
  expect(await places(page)).toEqual(before);
  await page.reload();
  await expect(rows(page)).toHaveCount(2);
  for (const title of titles) await expect(page.getByText(title)).toHaveCount(0);
});

test('rows and the to-do list wait for the content above them', async ({ page, fresh }) => {
  await threeRequests(fresh);
  const slow = await hold(page, '**/api/admin/dashboard');
  await enter(page, fresh, '/admin/dashboard');
  await expect(page.getByText('Loading requests...')).toBeVisible();
  await expect(rows(page)).toHaveCount(0);
  await expect(page.getByText('Quick Access')).toHaveCount(0);
  slow.release();
  await expect(rows(page)).toHaveCount(3);
  await expect(page.getByText('Mail is not being delivered')).toBeVisible();
});

test('figures that cannot be refreshed stay, with a notice below the table', async ({ page, fresh }) => {
  await threeRequests(fresh);
  await enter(page, fresh, '/admin/dashboard');
  await expect(rows(page)).toHaveCount(3);
  const before = await places(page);
  await page.route('**/api/admin/dashboard', (route) => route.fulfill({ status: 500, body: 'oops' }));
  await rows(page).first().getByRole('button', { name: 'Approve' }).click();
  await expect(page.getByText(failed)).toHaveCount(1);
  expect(await isBelow(page, failed)).toBe(true);
  expect(await places(page)).toEqual(before);
  await expect(page.locator('section.figure strong').first()).toHaveText('3');
  await expectSound(page);
  await page.unroute('**/api/admin/dashboard');
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(page.locator('section.figure strong').first()).toHaveText('2');
  await expect(page.getByText(failed)).toHaveCount(0);
});

test('figures that failed to load are retried by hand, without moving rows', async ({ page, fresh }) => {
  await threeRequests(fresh);
  await page.route('**/api/admin/dashboard', (route) => route.fulfill({ status: 500, body: 'oops' }));
  await enter(page, fresh, '/admin/dashboard');
  await expect(page.getByText(failed)).toHaveCount(1);
  await expect(rows(page)).toHaveCount(3);
  const before = await places(page);
  await page.unroute('**/api/admin/dashboard');
  const renewed = page.waitForResponse('**/api/admin/dashboard');
  await rows(page).first().getByRole('button', { name: 'Approve' }).click();
  await renewed;
  await expect(page.getByText(/No backup yet/), 'the answer is drawn').toBeVisible();
  expect(await places(page)).toEqual(before);
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(page.locator('section.figure strong').first()).toHaveText('2');
  await expect(page.getByText(failed)).toHaveCount(0);
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
});

test('withheld emails are reported only to roles that manage mail', async ({ page, fresh }) => {
  await report(page, { mailNotSent: { mailbox: 0, account: 0, school: 3 } });
  await enter(page, fresh, '/admin/dashboard');
  await expect(page.getByText('The school’s emails for the day were used up')).toBeVisible();
  await expect(page.getByRole('link', { name: 'View Mail' })).toBeVisible();
  // As for a role without that duty.
  await report(page, { mailNotSent: null, deadMailCount: null, identityChangesCount: null });
  await asRole(page, 'bursar', ['money']);
  await page.reload();
  await expect(page.getByText('Mail is not being delivered')).toBeVisible();
  await expect(page.getByText('were used up')).toHaveCount(0);
  await expect(page.getByRole('link', { name: /Mail/ })).toHaveCount(0);
  await expectSound(page);
});

test('ten requests are whole on a small laptop', async ({ page, fresh }) => {
  await page.setViewportSize({ width: 1366, height: 768 });
  const codes = ['ENG4U', 'MHF4U', 'SCH4U', 'SPH4U', 'SBI4U'];
  for (const name of ['ten', 'eleven']) {
    // oxlint-disable-next-line no-await-in-loop
    await requestCourses(await newStudent(fresh, name), codes);
  }
  await report(page, calm);
  // A school that is set up.
  await (await newStaff(fresh)).post('/api/admin/first-steps/hide');
  await enter(page, fresh, '/admin/dashboard');
  await expect(rows(page)).toHaveCount(10);
  expect((await rows(page).last().boundingBox())?.y).toBeLessThanOrEqual(768 - 44);
  // With the notice that a school without a mail server reads every day, folded.
  await page.unrouteAll();
  await page.evaluate(() => localStorage.setItem('folded:spool', '1'));
  await page.reload();
  await expect(rows(page)).toHaveCount(10);
  await expect(page.getByText('Mail is not being delivered')).toBeVisible();
  expect((await rows(page).last().boundingBox())?.y).toBeLessThanOrEqual(768 - 44);
  const heights = await rows(page).evaluateAll((all) => all.map((row) => Math.round(row.getBoundingClientRect().height)));
  expect(new Set(heights), 'one line a row').toEqual(new Set([44]));
});

for (const width of [1280, 820, 390]) {
  test(`a row expands and collapses under the same pointer, with whole names, at ${width}`, async ({ page, school }) => {
    await page.setViewportSize({ width, height: 900 });
    await enter(page, school, '/admin/dashboard');
    const row = rows(page).first();
    const arrow = row.locator('[aria-expanded]').last();
    await expect(arrow).toBeVisible();
    await arrow.scrollIntoViewIfNeeded();
    const { x, y, width: wide, height: high } = (await arrow.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    // By coordinates: two clicks at one point expand and collapse the same row.
    const press = () => page.mouse.click(x + wide / 2, y + high / 2);
    await press();
    await expect(arrow).toHaveAttribute('aria-expanded', 'true');
    await expectSound(page);
    await press();
    await expect(arrow).toHaveAttribute('aria-expanded', 'false');
    if (width === 1280) return;
    const names = page.locator('tbody td[data-place="lead"] > div');
    const cut = await names.evaluateAll((all) => all.filter((each) => each.scrollWidth > each.clientWidth).map((each) => each.textContent));
    expect(cut, 'names that are cut').toEqual([]);
  });
}
