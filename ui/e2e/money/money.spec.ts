// The bursar's work with payments: from any student, in parts, moved, paid back and taken back; and once, however often
// it is sent. Every figure is compared wherever it is shown.
import type { APIRequestContext, Page } from '@playwright/test';
import { enter, newStaff, newStudent, type Person } from '../actors.ts';
import { approveAll, requestCourses } from '../enrollments/actions.ts';
import { expectSoundInEveryLook } from '../looks.ts';
import { subjectsTo } from '../mail.ts';
import { expect, expectToast, type School, test } from '../school.ts';

type Item = { enrollmentId: number; for: string; due: number; charged: number };
type Ledger = { perItem: Item[]; unapplied: number; entries: { kind: string; reversedBy: number | null }[] };

const json = async <Body>(calls: APIRequestContext, path: string) => (await (await calls.get(path)).json()) as Body;

async function payer(school: School, name: string, codes: string[]) {
  const [person, staff] = [await newStudent(school, name, { fullName: `Payer ${name}` }), await newStaff(school)];
  await requestCourses(person, codes);
  await approveAll(staff);
  const [row] = await json<{ id: number }[]>(staff, `/api/admin/students?q=${name}@mail.example`);
  return { person, staff, id: row?.id ?? 0 };
}

/** The balance, the same for the student, the office, in the list and in its sheet. */
async function expectBalance({ person, staff, id }: { person: Person; staff: APIRequestContext; id: number }, balance: number) {
  expect((await json<{ balance: number }>(person.calls, '/api/students/fees')).balance).toBe(balance);
  expect((await json<{ money: { balance: number } }>(staff, `/api/admin/students/${id}`)).money.balance).toBe(balance);
  const rows = await json<{ studentId: number; balance: number }[]>(staff, '/api/admin/money/balances');
  expect(rows.find(({ studentId }) => studentId === id)?.balance).toBe(balance);
  const sheet = await (await staff.get('/api/admin/money/balances?format=csv')).text();
  expect(sheet).toContain(`,${balance.toFixed(2)},`);
}

/** Opens the dialog by its key on the money page, and chooses the student. */
async function choosePayer(page: Page, school: School, name: string) {
  await page.goto(`${school.url}/admin/money`);
  await expect(page.getByRole('table', { name: 'Balances' })).toBeVisible();
  await page.keyboard.press('p');
  const dialog = page.getByRole('dialog', { name: 'Record Payment' });
  await dialog.getByRole('combobox', { name: 'Student' }).fill(name);
  await expect(dialog.getByRole('option')).toHaveCount(1);
  await page.keyboard.press('Enter');
  await expect(dialog.getByLabel('Amount')).toBeFocused();
  return dialog;
}

test('payments in parts, too much, moved, paid back and taken back agree wherever they are shown', async ({ page, fresh }) => {
  const one = await payer(fresh, 'parts', ['ENG4U', 'MHF4U']);
  const { perItem } = await json<Ledger>(one.staff, `/api/admin/students/${one.id}/ledger`);
  const fee = (code: string) => perItem.find(({ for: label }) => label.startsWith(code))?.due ?? 0;
  const total = fee('ENG4U') + fee('MHF4U');
  await enter(page, fresh, '/admin/money');
  await expectSoundInEveryLook(page);

  // The whole of one course, edited; the other gets nothing.
  const dialog = await choosePayer(page, fresh, 'Payer parts');
  await dialog.getByLabel('Amount').fill(String(fee('ENG4U')));
  await dialog.getByRole('button', { name: 'Keep It on Account' }).click();
  await dialog.getByLabel(/ENG4U/).fill(String(fee('ENG4U')));
  await expect(dialog.getByText('Leaves nothing on account.')).toBeVisible();
  await expectSoundInEveryLook(page);
  await dialog.getByLabel('Amount').press('Enter');
  await expectToast(page, 'Payment recorded');
  await expectBalance(one, fee('MHF4U'));

  // A part of it pays for the other course.
  await page.goto(`${fresh.url}/admin/students/${one.id}?tab=money`);
  const payments = page.getByRole('table', { name: 'Payments' });
  await payments.getByRole('button', { name: /^Move or reverse/ }).click();
  await page.getByRole('button', { name: 'Move…' }).click();
  const move = page.getByRole('dialog', { name: 'Move a Payment' });
  await move.getByLabel('Amount').fill('60');
  await expectSoundInEveryLook(page);
  await move.getByRole('button', { name: 'Move Payment' }).click();
  await expectToast(page, 'Payment moved');
  const fees = page.getByRole('table', { name: 'Fees' });
  await expect(fees.getByRole('row', { name: /ENG4U.*\$60\.00/ })).toBeVisible();
  await expectBalance(one, fee('MHF4U'));

  // Too much stays on account, is paid back, and that is taken back.
  await choosePayer(page, fresh, 'Payer parts');
  await dialog.getByLabel('Amount').fill(String(total - fee('ENG4U') + 52));
  await expect(dialog.getByText('Leaves $52.00 on account.')).toBeVisible();
  await dialog.getByLabel('Amount').press('Enter');
  await expectToast(page, 'Payment recorded');
  await expectBalance(one, -52);
  await page.goto(`${fresh.url}/admin/students/${one.id}?tab=money`);
  await page.getByRole('button', { name: 'Refund…' }).click();
  await page.getByRole('dialog').getByLabel('Reason').fill('The family asked for it.');
  await page.getByRole('button', { name: 'Record Refund' }).click();
  await expectToast(page, 'Refund recorded');
  await expectBalance(one, 0);
  const returned = page.getByRole('table', { name: 'Refunds from the Account' });
  // What was paid back in part is not reversed, and the menu says why.
  await payments.getByRole('row', { name: new RegExp(`-000002`) }).getByRole('button', { name: /^Move or reverse/ }).click();
  await expect(page.getByRole('button', { name: /^Reverse….*Reverse that first/ })).toBeVisible();
  await page.keyboard.press('Escape');
  await returned.getByRole('button', { name: /^Reverse/ }).click();
  await page.getByRole('dialog').getByLabel('Reason').fill('It was never sent.');
  await page.getByRole('button', { name: 'Reverse Refund' }).click();
  await expectToast(page, 'Refund reversed');
  await expectBalance(one, -52);
  await expectSoundInEveryLook(page);
  await expect.poll(() => subjectsTo(fresh, one.person.email)).toEqual(expect.arrayContaining([
    expect.stringMatching(/^Receipt \d{4}-000001$/), expect.stringMatching(/^Receipt \d{4}-000002$/), 'Your refund', 'A correction to your fees',
  ]));
  await page.goto(`${fresh.url}/admin/money?show=months`);
  await expect(page.getByRole('table', { name: 'By Month' }).getByRole('row')).toHaveCount(14);
  await expectSoundInEveryLook(page);
});

test('a payment whose answer is lost, or that two tabs send, is recorded once', async ({ page, fresh }) => {
  const one = await payer(fresh, 'twice', ['ENG4U']);
  await enter(page, fresh, '/admin/money');
  const recorded = () => json<unknown[]>(one.staff, '/api/admin/payments?page=1');
  const dialog = await choosePayer(page, fresh, 'Payer twice');
  const other = await page.context().newPage();
  const second = await choosePayer(other, fresh, 'Payer twice');
  // The server writes it, and its answer never comes.
  await page.route('**/api/admin/payments', async (route) => {
    await route.fetch();
    await route.abort();
  }, { times: 1 });
  await dialog.getByLabel('Amount').fill('100');
  await dialog.getByLabel(/Reference/).fill('CA7');
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('alert').filter({ hasText: /./ }).first()).toBeVisible();
  expect(await recorded()).toHaveLength(1);
  await page.keyboard.press('Enter');
  await expectToast(page, 'Payment recorded');
  expect(await recorded()).toHaveLength(1);
  // Back does not send it again.
  await page.goBack();
  await page.goForward();
  expect(await recorded()).toHaveLength(1);
  // The other tab is asked.
  await second.getByLabel('Amount').fill('100');
  await second.getByLabel(/Reference/).fill('ca7');
  await other.keyboard.press('Enter');
  await expect(second.getByText(/This looks like receipt \d{4}-000001/)).toBeVisible();
  expect(await recorded()).toHaveLength(1);
  await other.close();
});

test('a charge that is reversed and posted again leaves exactly one', async ({ page, fresh }) => {
  const one = await payer(fresh, 'price', ['ENG4U']);
  const courses = await json<{ id: number; code: string }[]>(one.staff, '/api/admin/courses');
  const course = courses.find(({ code }) => code === 'ENG4U')?.id;
  expect((await one.staff.patch(`/api/admin/courses/${course}`, { data: { price: 480 } })).ok()).toBe(true);
  await enter(page, fresh, `/admin/students/${one.id}?tab=money`);
  await page.getByRole('table', { name: 'Ledger' }).getByRole('button', { name: /^Reverse the charge/ }).click();
  await page.getByRole('dialog').getByLabel('Reason').fill('The price was wrong.');
  await page.getByRole('button', { name: 'Reverse Entry' }).click();
  await expectToast(page, 'Entry reversed');
  await expectBalance(one, 0);
  const fees = page.getByRole('table', { name: 'Fees' });
  await fees.getByRole('button', { name: /^Charge, waive or refund/ }).click();
  // What is not possible is listed with its reason, and does nothing.
  await page.getByRole('button', { name: /^Waive….*Nothing is charged/ }).press('Enter');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.getByRole('button', { name: 'Charge…' }).click();
  await page.getByRole('dialog').getByLabel('Amount').fill('480');
  await page.getByRole('button', { name: 'Post Charge' }).click();
  await expectToast(page, 'Charge posted');
  await expectBalance(one, 480);
  const { entries } = await json<Ledger>(one.staff, `/api/admin/students/${one.id}/ledger`);
  expect(entries.filter(({ kind, reversedBy }) => kind === 'charge' && reversedBy === null)).toHaveLength(1);
  await expect.poll(() => subjectsTo(fresh, one.person.email)).toEqual(expect.arrayContaining(['A correction to your fees', 'A new charge']));
});
