// From a student who leaves to the money that is paid back: the policy, its proposal, the task and its end.
import { enter, newStaff, newStudent, signIn } from '../actors.ts';
import { approveAll, daysFromNow, requestCourses } from '../enrollments/actions.ts';
import { expectSoundInEveryLook } from '../looks.ts';
import { subjectsTo } from '../mail.ts';
import { expect, expectToast, test } from '../school.ts';

test('a policy is written, a student leaves by it, and the refund is paid', async ({ page, browser, fresh }) => {
  test.slow();
  const person = await newStudent(fresh, 'leaver');
  const staff = await newStaff(fresh);
  await requestCourses(person, ['ENG4U']);
  await approveAll(staff);
  const [row] = (await (await staff.get('/api/admin/students?q=leaver@mail.example')).json()) as { id: number }[];
  const { perItem: [item] } = (await (await staff.get(`/api/admin/students/${row?.id}/ledger`)).json()) as { perItem: { due: number }[] };
  const fee = item?.due ?? 0;
  const back = `$${(fee - 100).toFixed(2)}`;
  const paid = await staff.post('/api/admin/payments', { data: { studentId: row?.id, amount: fee, method: 'cheque', receivedOn: daysFromNow(0) } });
  expect(paid.ok(), await paid.text()).toBe(true);

  await enter(page, fresh, '/admin/money?show=policies');
  await expect(page.getByText('No policy yet')).toBeVisible();
  await expectSoundInEveryLook(page);
  await page.getByRole('button', { name: 'Add a Policy' }).click();
  const policy = page.getByRole('dialog', { name: 'Add a Refund Policy' });
  await expect(policy.getByText('A student who leaves until school day 5 pays $100.00 of a fee of $769.00, and gets $669.00 back.')).toBeVisible();
  await policy.getByLabel('Percent waived').nth(1).fill('150');
  await policy.getByRole('button', { name: 'Save Policy' }).click();
  await expect(policy.getByRole('alert')).toBeFocused();
  await policy.getByLabel('Name').fill('Full before day 6');
  await policy.getByLabel('For requests from').fill('2026-01-01');
  await policy.getByLabel('Percent waived').first().fill('100');
  await policy.getByLabel('Percent waived').nth(1).fill('100');
  await policy.getByLabel(/^Less/).first().fill('100');
  await expectSoundInEveryLook(page);
  await policy.getByRole('button', { name: 'Save Policy' }).click();
  await expectToast(page, 'Policy saved');
  await expect(page.getByRole('table', { name: 'Full before day 6' })).toContainText('until 1 day before the first day');
  await expectSoundInEveryLook(page);

  // The student reads what leaving costs, and asks to leave.
  const portal = await browser.newPage();
  await signIn(portal, person);
  await portal.goto(`${fresh.url}/student/dashboard`);
  await portal.getByRole('tab', { name: /My Courses/ }).click();
  await portal.getByText('What leaving costs').click();
  await expect(portal.getByText(/^Until .* leaving costs \$100\.00 of the fee/)).toBeVisible();
  await portal.getByRole('button', { name: 'Ask to Leave This Course' }).click();
  const leave = portal.getByRole('dialog', { name: 'Ask to leave this course?' });
  await expect(leave.getByText(/^From .* the whole fee/)).toBeVisible();
  await leave.getByLabel('Why do you want to leave?').fill('We are moving to another city.');
  await expectSoundInEveryLook(portal);
  await leave.getByRole('button', { name: 'Ask to Leave' }).click();
  await expectToast(portal, 'Request sent');
  await portal.close();

  // The office withdraws by the policy, with its arithmetic in words.
  await page.goto(`${fresh.url}/admin/enrollments?tab=leaving`);
  await page.getByRole('button', { name: 'Approve leaving…' }).click();
  const withdraw = page.getByRole('dialog', { name: 'Withdraw this student?' });
  await withdraw.getByLabel(/^The charge of/).selectOption('Follows the refund policy');
  await expect(withdraw.getByText(/^Refund: /)).toContainText(`= ${back}.`);
  await withdraw.getByLabel('Reason').fill('As the family asked for.');
  await expectSoundInEveryLook(page);
  await withdraw.getByRole('button', { name: 'Withdraw' }).click();
  await expectToast(page, 'Student withdrawn');

  // The bursar's task, until it is paid back.
  await page.goto(`${fresh.url}/admin/dashboard`);
  await page.getByRole('link', { name: '1 refund due' }).click();
  const due = page.getByRole('table', { name: 'Refunds Due' });
  await expect(due.getByRole('row', { name: /ENG4U/ })).toContainText(back);
  await expectSoundInEveryLook(page);
  await due.getByRole('button', { name: /^Pay back/ }).click();
  await page.getByRole('button', { name: 'Record Refund…' }).click();
  const refund = page.getByRole('dialog', { name: 'Refund a Payment' });
  await expect(refund.getByLabel('Pay back')).toHaveValue((fee - 100).toFixed(2));
  await refund.getByLabel('Reason').fill('Refund policy');
  await expectSoundInEveryLook(page);
  await refund.getByRole('button', { name: 'Record Refund' }).click();
  await expectToast(page, 'Refund recorded');
  await expect(page.getByText('No refunds due')).toBeVisible();
  await expect.poll(() => subjectsTo(fresh, person.email)).toContain('Your refund');

  // The year's statement is the same for the student and the office, and ends at nothing.
  type Statement = { opening: number; rows: { amount: number }[]; closing: number };
  const own = (await (await person.calls.get('/api/students/statement')).json()) as Statement;
  expect(own.rows.map(({ amount }) => amount)).toEqual([fee, -fee, 100 - fee, fee - 100]);
  expect([own.opening, own.closing]).toEqual([0, 0]);
  expect(await (await staff.get(`/api/admin/students/${row?.id}/statement`)).json()).toEqual(own);
});
