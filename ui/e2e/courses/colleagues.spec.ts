// Course Management with concurrent changes and pending requests.
import { request } from '@playwright/test';
import { enter } from '../actors.ts';
import { hold } from '../network.ts';
import { expect, expectToast, type School, test } from '../school.ts';
import { card, cards, fact } from './management.ts';

const courses = '/admin/courses?view=cards';

/** A colleague's change to a course, in a separate session. */
async function colleague(school: School, code: string, change: Record<string, unknown> | 'delete') {
  const call = await request.newContext({ extraHTTPHeaders: { Origin: school.url } });
  expect((await call.post(`${school.url}/api/login`, { data: school.staff })).ok()).toBe(true);
  const all = (await (await call.get(`${school.url}/api/admin/courses`)).json()) as { id: number; code: string }[];
  const address = `${school.url}/api/admin/courses/${all.find((one) => one.code === code)?.id}`;
  const answer = change === 'delete' ? await call.delete(address) : await call.patch(address, { data: change });
  expect(answer.ok()).toBe(true);
  await call.dispose();
}

test('a colleague’s change is shown in the form, and not overwritten', async ({ page, fresh }) => {
  await enter(page, fresh, `${courses}&q=enl1w`);
  await expect(cards(page)).toHaveCount(1);
  await colleague(fresh, 'ENL1W', { price: 725.5, credits: 0.5 });
  await expect(fact(page, 'ENL1W', 'Price')).not.toHaveText('$725.50');
  await page.getByRole('button', { name: 'Edit ENL1W' }).click();
  await expect(page.getByLabel('Price (optional)'), 'the list is asked for again').toHaveValue('725.50');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog'), 'a colleague’s change is nothing to lose').toHaveCount(0);

  await page.getByRole('button', { name: 'Edit ENL1W' }).click();
  await page.getByLabel('Course name').fill('English, Destreamed');
  // After the form was opened, which is not notified.
  await colleague(fresh, 'ENL1W', { price: 800, isCompulsory: false });
  const sent = page.waitForRequest((call) => call.method() === 'PATCH');
  await page.getByRole('button', { name: 'Update Course' }).click();
  expect((await sent).postDataJSON()).toEqual({ name: 'English, Destreamed' });
  await expectToast(page, 'Course updated');
  await expect(card(page, 'ENL1W').getByRole('heading')).toHaveText('English, Destreamed');
  await expect(fact(page, 'ENL1W', 'Price')).toHaveText('$800.00');
  await expect(fact(page, 'ENL1W', 'Compulsory')).toHaveText('No');
});

test('an edited form keeps its input when newer data arrives', async ({ page, fresh }) => {
  await enter(page, fresh, `${courses}&q=enl1w`);
  await expect(cards(page)).toHaveCount(1);
  await colleague(fresh, 'ENL1W', { name: 'Anglais', price: 10 });
  const slow = await hold(page, '**/api/admin/courses');
  await page.getByRole('button', { name: 'Edit ENL1W' }).click();
  await page.getByLabel('Course name').fill('English, Destreamed');
  await page.getByLabel('Credits').fill('x');
  await page.getByRole('button', { name: 'Update Course' }).click();
  await expect(page.getByLabel('Credits')).toHaveAttribute('aria-invalid', 'true');
  slow.release();
  await expect(page.getByLabel('Price (optional)')).toHaveValue('10.00');
  await expect(page.getByLabel('Course name')).toHaveValue('English, Destreamed');
  await expect(page.getByLabel('Credits')).toHaveAttribute('aria-invalid', 'true');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog', { name: 'Leave without saving?' })).toBeVisible();
});

test('a pending save or deletion cannot be cancelled, and closes only its own dialog', async ({ page, fresh }) => {
  await enter(page, fresh, `${courses}&q=enl1w`);
  const slow = await hold(page, /\/api\/admin\/courses\/\d+$/);
  await page.getByRole('button', { name: 'Edit ENL1W' }).click();
  await page.getByLabel('Course name').fill('English, Destreamed');
  await page.getByRole('button', { name: 'Update Course' }).click();
  await expect(page.getByRole('button', { name: 'Updating...' })).toBeVisible();
  await page.keyboard.press('Escape');
  for (const name of ['Cancel', 'Close']) await page.getByRole('button', { name, exact: true }).click();
  await expect(page.getByRole('dialog')).toHaveCount(1);
  await expect(page.getByRole('dialog', { name: 'Update Course' })).toBeVisible();
  slow.release();
  await expectToast(page, 'Course updated');
  await expect(page.getByRole('dialog')).toHaveCount(0);

  await page.unrouteAll();
  const deletion = await hold(page, /\/api\/admin\/courses\/\d+$/);
  await page.getByRole('button', { name: 'Delete ENL1W' }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Deleting...' })).toBeVisible();
  await page.keyboard.press('Escape');
  for (const name of ['Cancel', 'Close']) await page.getByRole('button', { name, exact: true }).click();
  await expect(page.getByRole('dialog', { name: 'Delete Course' })).toBeVisible();
  deletion.release();
  await expectToast(page, 'Course deleted');
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('a course that a colleague deleted cannot be saved, says so, and leaves the list', async ({ page, fresh }) => {
  await enter(page, fresh, courses);
  await expect(cards(page)).toHaveCount(158);
  await page.getByRole('button', { name: 'Edit ENL1W' }).click();
  await page.getByLabel('Course name').fill('English, Destreamed');
  await colleague(fresh, 'ENL1W', 'delete');
  await page.getByRole('button', { name: 'Update Course' }).click();
  await expectToast(page, 'Error', 'This course has been deleted.');
  await expect(page.getByRole('dialog').locator('.notice-error')).toContainText('This course has been deleted.');
  await expect(page.getByLabel('Course name')).toHaveValue('English, Destreamed');
  await expect(cards(page)).toHaveCount(157);
});
