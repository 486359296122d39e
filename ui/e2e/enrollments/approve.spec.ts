// Approving requests one after another: targets of presses, prices and toasts.
import type { Page } from '@playwright/test';
import { enter, newStaff, newStudent } from '../actors.ts';
import { expectSound } from '../looks.ts';
import { expect, expectToast, test } from '../school.ts';
import { requestCourses, thirtyRequests } from './actions.ts';

const rows = (page: Page) => page.getByRole('table', { name: 'Pending Enrollment Requests' }).getByRole('rowgroup').nth(1).getByRole('row');

/** A card's figure. */
const figure = (page: Page, title: string) =>
  page.locator('section').filter({ has: page.getByRole('heading', { name: title, exact: true }) }).locator('strong');

test('a press decides one student, however soon after the previous one', async ({ page, fresh }) => {
  await page.clock.install();
  await thirtyRequests(fresh);
  await enter(page, fresh, '/admin/dashboard');
  await expect(rows(page)).toHaveCount(25);
  const button = (place: number) => rows(page).nth(place).getByRole('button', { name: 'Approve' });
  const approved = async (place: number) => {
    await expect(rows(page).nth(place).getByText('active', { exact: true })).toBeVisible();
    return expect(rows(page).getByText('active', { exact: true })).toHaveCount(place + 1);
  };
  const gaps = [0, 50, 150, 300, 500, 800, 1050, 1300, 1600, 2000];
  for (const [step, gap_ms] of gaps.entries()) {
    const [first, second] = [step * 2, step * 2 + 1];
    await button(second).scrollIntoViewIfNeeded();
    const [own, next] = [await button(first).boundingBox(), await button(second).boundingBox()];
    const middle = (box: typeof own) => [(box?.x ?? 0) + (box?.width ?? 0) / 2, (box?.y ?? 0) + (box?.height ?? 0) / 2] as const;
    const decided = page.waitForResponse('**/approve');
    await page.mouse.click(...middle(own));
    // The first presses come while the response is pending.
    if (step > 3) await decided;
    await page.clock.fastForward(gap_ms);
    // Another click there hits no button; the next row has not moved.
    await page.mouse.click(...middle(own));
    await page.mouse.click(...middle(next));
    await approved(second);
  }
  await expect(figure(page, 'Approved Enrollments')).toHaveText('20');
  await page.getByRole('button', { name: 'Show the next ones' }).click();
  await expect(rows(page)).toHaveCount(10);
  await expect(page.getByRole('heading', { name: 'Pending Enrollment Requests' })).toBeFocused();
});

test('a key pressed twice approves one student', async ({ page, fresh }) => {
  await requestCourses(await newStudent(fresh, 'keys'), ['ENG4U', 'MHF4U', 'SCH4U']);
  await enter(page, fresh, '/admin/dashboard');
  // Stop the page's clock, so that no time passes between focus and key on a slow machine.
  const opened = Date.now();
  await page.clock.setFixedTime(opened);
  await page.getByRole('button', { name: 'Approve' }).first().focus();
  await page.clock.setFixedTime(opened + 1000);
  await page.keyboard.press('Enter');
  await expect(rows(page).nth(1).getByRole('button', { name: 'Approve' })).toBeFocused();
  // A key press at the moment of the focus was meant for the previous row.
  await page.keyboard.press('Enter');
  await expect(rows(page).getByText('active', { exact: true })).toHaveCount(1);
  await page.clock.setFixedTime(opened + 2000);
  await page.keyboard.press('Enter');
  await expect(rows(page).getByText('active', { exact: true })).toHaveCount(2);
});

test('where the price has changed since the request the office chooses', async ({ page, fresh }) => {
  const person = await newStudent(fresh, 'price');
  await requestCourses(person, ['ENG4U', 'MHF4U']);
  const staff = await newStaff(fresh);
  const courses = (await (await staff.get('/api/admin/courses')).json()) as { id: number; code: string; price: number }[];
  const course = courses.find(({ code }) => code === 'ENG4U');
  expect((await staff.patch(`/api/admin/courses/${course?.id}`, { data: { price: 999 } })).ok()).toBe(true);
  await enter(page, fresh, '/admin/dashboard');
  const row = rows(page).filter({ hasText: 'ENG4U' });
  await expect(row).toContainText('now $999.00');
  await row.getByRole('button', { name: 'Approve' }).click();
  const dialog = page.getByRole('dialog', { name: 'At which price?' });
  await expect(dialog.getByRole('radio', { name: /as quoted/ })).toBeChecked();
  await expectSound(page);
  await dialog.getByRole('radio', { name: /price today/ }).check();
  await dialog.getByRole('button', { name: 'Approve' }).click();
  await expectToast(page, 'Enrollment approved');
  await expect(figure(page, 'Total Fee Due')).toHaveText('$999.00');
  await expectSound(page);
});

test('the toast leaves the next Approve free, on every screen', async ({ page, fresh }) => {
  await thirtyRequests(fresh);
  for (const [width, height] of [[1280, 720], [1366, 768], [390, 844]] as const) {
    await page.setViewportSize({ width, height });
    await enter(page, fresh, '/admin/dashboard');
    for (let place = 0; place < 6; place += 1) {
      await rows(page).nth(place).getByRole('button', { name: 'Approve' }).click();
      const next = rows(page).nth(place + 1).getByRole('button', { name: 'Approve' });
      await expect(next).toBeFocused();
      await next.scrollIntoViewIfNeeded();
      const [toast, box] = [await page.locator('.toaster').boundingBox(), await next.boundingBox()];
      const isApart = !toast || !box || toast.x + toast.width <= box.x || box.x + box.width <= toast.x
        || toast.y + toast.height <= box.y || box.y + box.height <= toast.y;
      expect(isApart, JSON.stringify({ width, place, toast, box })).toBe(true);
    }
  }
});
