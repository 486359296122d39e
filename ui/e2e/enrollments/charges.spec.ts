// Unpriced Enrollments: from the dashboard's to-do line to the charges.
import type { Page } from '@playwright/test';
import { asRole, endSession, enter, logInAgain } from '../actors.ts';
import { expectSoundInEveryLook } from '../looks.ts';
import { emails } from '../mail.ts';
import { hold } from '../network.ts';
import { answerQuestion, expect, expectToast, type School, test } from '../school.ts';
import { daysFromNow, unpricedStudent } from './actions.ts';

const charges = '/admin/charges';
const list = '**/api/admin/enrollments/unpriced';
const codes = ['ENG4U', 'MHF4U', 'SCH4U'];

const rows = (page: Page) => page.getByRole('table', { name: 'Unpriced', exact: true }).getByRole('rowgroup').nth(1).getByRole('row');
const post = (page: Page, code: string) => rows(page).filter({ hasText: code }).getByRole('button', { name: 'Post Charge' });
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Post Charge' });
const submit = (page: Page) => dialog(page).getByRole('button', { name: 'Post Charge' });
const figure = (page: Page, title: string) => page.locator('section.figure').filter({ has: page.getByRole('heading', { name: title }) });


async function openList(page: Page, school: School) {
  await enter(page, school, charges);
  await expect(rows(page)).toHaveCount(codes.length);
}

test('a charge is posted, from the dashboard’s to-do line to the student’s email', async ({ page, fresh }) => {
  test.slow();
  await unpricedStudent(fresh, 'zoe', codes);
  await enter(page, fresh, '/admin/dashboard');
  const waits = page.getByRole('region', { name: 'To Do' });
  await expect(waits.getByRole('link', { name: '3 unpriced enrollments' })).toHaveAttribute('href', charges);
  await expectSoundInEveryLook(page);
  await figure(page, 'Total Fee Due').getByRole('link', { name: 'Plus 3 unpriced enrollments' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Unpriced Enrollments' })).toBeFocused();
  await expect(page).toHaveTitle('Unpriced Enrollments · Northgate Academy');
  await expect(rows(page)).toHaveCount(3);
  for (const text of ['Zoë Nguyễn-Tremblay', 'zoe@mail.example', 'English', 'Not set']) {
    await expect(rows(page).filter({ hasText: 'ENG4U' })).toContainText(text);
  }
  await expectSoundInEveryLook(page);

  const places = async () => Promise.all([0, 1, 2].map(async (place) => (await rows(page).nth(place).boundingBox())?.y));
  const before = await places();
  await post(page, 'ENG4U').click();
  await expect(dialog(page)).toContainText('Zoë Nguyễn-Tremblay was approved for English (ENG4U) without a price.');
  await expect(dialog(page).getByLabel('Amount')).toHaveValue('');
  await expect(dialog(page).getByLabel('Due date')).toHaveValue(daysFromNow(14));
  await submit(page).click();
  const summary = dialog(page).getByRole('alert');
  await expect(summary).toBeFocused();
  await expect(summary.getByRole('link')).toHaveText(['Amount is required']);
  await expectSoundInEveryLook(page);
  await dialog(page).getByLabel('Amount').fill('480,50');
  await expect(dialog(page).getByLabel('Amount')).toHaveAccessibleDescription(/Amount must be more than \$0\.00/);
  await dialog(page).getByLabel('Amount').fill('$480.50');
  await dialog(page).getByLabel('Due date').fill(daysFromNow(-2));
  await submit(page).click();
  await expect(summary.getByRole('link')).toHaveText(['Due date must be today or later']);
  await expect(dialog(page).getByLabel('Due date')).toHaveAccessibleDescription(/Due date must be today or later/);
  await expect(dialog(page).getByLabel('Amount')).toHaveValue('$480.50');
  await dialog(page).getByLabel('Due date').fill(daysFromNow(30));
  const slow = await hold(page, '**/api/admin/charges');
  await submit(page).dblclick();
  await expect(dialog(page).getByRole('button', { name: 'Posting...' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog(page), 'what is on its way cannot be thrown away').toBeVisible();
  slow.release();
  await expectToast(page, 'Charge posted', '$480.50, due');
  expect(slow.count()).toBe(1);
  await expect(dialog(page)).toHaveCount(0);
  await expect(rows(page)).toHaveCount(3);
  await expect(rows(page).filter({ hasText: 'ENG4U' })).toContainText('$480.50 charged');
  await expect(rows(page).filter({ hasText: 'ENG4U' }).getByRole('link', { name: 'Undo in Money tab' })).toHaveAttribute('href', /\/admin\/students\/\d+\?tab=money/);
  await expect(post(page, 'ENG4U')).toHaveCount(0);
  expect(await places(), 'no row moved').toEqual(before);
  await expect(rows(page).nth(1).getByRole('button', { name: 'Post Charge' })).toBeFocused();
  await expect(page.getByText('2 enrollments', { exact: true })).toBeVisible();
  await expectSoundInEveryLook(page);

  await page.getByRole('link', { name: 'Back to Dashboard' }).click();
  await expect(figure(page, 'Total Fee Due').locator('strong')).toHaveText('$480.50');
  await expect(figure(page, 'Total Fee Due')).toContainText('Plus 2 unpriced enrollments');
  await expect.poll(() => emails(fresh, 'zoe@mail.example').filter((text) => text.includes('Subject: The fee of your course')).length).toBe(1);
  await waits.getByRole('link', { name: '2 unpriced enrollments' }).click();
  await expect(rows(page)).toHaveCount(2);
});

test('today’s price is suggested, and the last charge leaves nothing waiting', async ({ page, fresh }) => {
  const { staff } = await unpricedStudent(fresh, 'suggest', ['ENG4U']);
  const courses = (await (await staff.get('/api/admin/courses')).json()) as { id: number; code: string }[];
  await staff.patch(`/api/admin/courses/${courses.find(({ code }) => code === 'ENG4U')?.id}`, { data: { price: 519.5 } });
  await enter(page, fresh, charges);
  await expect(rows(page)).toContainText('$519.50');
  await post(page, 'ENG4U').focus();
  await page.keyboard.press('Enter');
  await expect(dialog(page).getByLabel('Amount')).toHaveValue('519.50');
  await expect(dialog(page).getByLabel('Amount')).toHaveAccessibleDescription('The course costs $519.50 today.');
  await dialog(page).getByLabel('Amount').press('Enter');
  await expectToast(page, 'Charge posted');
  await expect(page.getByText('None left')).toBeVisible();
  const next = page.getByRole('button', { name: 'Clear the list' });
  await expect(next).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'No unpriced enrollments' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Unpriced', exact: true })).toBeFocused();
  await expectSoundInEveryLook(page);
  await page.getByRole('link', { name: 'Back to Dashboard' }).click();
  await expect(figure(page, 'Total Fee Due').locator('strong')).toHaveText('$519.50');
  await expect(page.getByText(/Plus .* unpriced/)).toHaveCount(0);
  await expect(page.getByRole('link', { name: 'Post Charges' })).toHaveCount(0);
});

test('Escape asks before input is lost, and returns the focus', async ({ page, fresh }) => {
  await unpricedStudent(fresh, 'escape', codes);
  await openList(page, fresh);
  await post(page, 'MHF4U').focus();
  await page.keyboard.press('Enter');
  await expect(dialog(page)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toHaveCount(0);
  await expect(post(page, 'MHF4U')).toBeFocused();
  await page.keyboard.press('Enter');
  await dialog(page).getByLabel('Amount').fill('480');
  for (const leave of [() => page.keyboard.press('Escape'), () => dialog(page).getByRole('button', { name: 'Cancel' }).click()]) {
    await leave();
    await answerQuestion(page, 'Leave without saving?', 'Keep Editing');
    await expect(dialog(page).getByLabel('Amount')).toHaveValue('480');
  }
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Discard Changes' }).click();
  await expect(dialog(page)).toHaveCount(0);
  await expect(rows(page).getByRole('button', { name: 'Post Charge' })).toHaveCount(3);
});

test('an enrollment charged by a colleague says so on its row, and is charged once', async ({ page, fresh }) => {
  const { staff } = await unpricedStudent(fresh, 'twice', codes);
  await openList(page, fresh);
  const unpriced = (await (await staff.get('/api/admin/enrollments/unpriced')).json()) as { id: number; student_id: number; course_code: string }[];
  const own = unpriced.find(({ course_code }) => course_code === 'MHF4U');
  await post(page, 'MHF4U').click();
  expect((await staff.post(`/api/admin/students/${own?.student_id}/charges`, { data: { enrollmentId: own?.id, amount: 480 } })).status()).toBe(201);
  await dialog(page).getByLabel('Amount').fill('490');
  await submit(page).click();
  await expectToast(page, 'Failed to post the charge', 'A colleague has already charged this enrollment, or it is no longer active.');
  await expect(dialog(page)).toHaveCount(0);
  await expect(rows(page).filter({ hasText: 'MHF4U' })).toContainText('Already charged or ended');
  await expect(rows(page).nth(2).getByRole('button', { name: 'Post Charge' })).toBeFocused();
  await expectSoundInEveryLook(page);
  await page.getByRole('button', { name: 'Show what remains' }).click();
  await expect(rows(page)).toHaveCount(2);
  await expect(rows(page).filter({ hasText: 'MHF4U' })).toHaveCount(0);
});

test('a charge that fails keeps what was typed, and so does a session that ends', async ({ page, fresh }) => {
  await unpricedStudent(fresh, 'nodder', codes);
  await openList(page, fresh);
  await post(page, 'ENG4U').click();
  await dialog(page).getByLabel('Amount').fill('480');
  await page.route('**/api/admin/charges', (route) => route.fulfill({ status: 500, body: '<html>boom</html>' }));
  await submit(page).click();
  await expectToast(page, 'Failed to post the charge', 'The charge could not be posted. Please try again.');
  await expect(dialog(page).locator('form')).toContainText('The charge could not be posted. Please try again.');
  await expect(page.getByText('boom')).toHaveCount(0);
  await page.unroute('**/api/admin/charges');
  await endSession(page);
  await submit(page).click();
  await logInAgain(page, fresh.staff.password);
  await expect(dialog(page).getByLabel('Amount')).toHaveValue('480');
  await submit(page).click();
  await expectToast(page, 'Charge posted');
});

test('the list shows that it loads, and a failed one can be retried', async ({ page, fresh }) => {
  const slow = await hold(page, list);
  await enter(page, fresh, charges);
  await expect(page.getByText('Loading enrollments...')).toBeVisible();
  slow.release();
  await expect(page.getByRole('heading', { name: 'No unpriced enrollments' })).toBeVisible();
  await page.unrouteAll();
  await page.route(list, (route) => route.fulfill({ status: 500, body: 'oops' }));
  await page.reload();
  await expect(page.getByRole('alert')).toContainText('Failed to load the unpriced enrollments. Please try again later.');
  await expectSoundInEveryLook(page);
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByRole('heading', { name: 'Unpriced', exact: true })).toBeFocused();
});

test('a role that may not charge sees the list and who may; a visitor logs in first', async ({ page, fresh }) => {
  await unpricedStudent(fresh, 'reader', codes);
  await page.goto(`${fresh.url}${charges}`);
  await expect(page).toHaveURL(`${fresh.url}/admin/login?${new URLSearchParams({ next: charges })}`);
  await asRole(page, 'viewer', ['admissions']);
  await openList(page, fresh);
  await expect(page.getByText('An administrator or the bursar posts these charges.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Post Charge' })).toHaveCount(0);
  await expectSoundInEveryLook(page);
  await page.getByRole('link', { name: 'Back to Dashboard' }).click();
  await expect(page.getByRole('link', { name: 'Unpriced Enrollments' })).toHaveAttribute('href', charges);
});
