// The bursar's day: a file of the bank with 30 lines, its payments and receipts, and all of it undone.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { enter, newStaff } from '../actors.ts';
import { expectSoundInEveryLook } from '../looks.ts';
import { catalogue, expect, expectToast, openSchool, run, type School, test as base } from '../school.ts';

const students = Array.from({ length: 30 }, (_, at) => ({ name: `Student Number${String.fromCodePoint(65 + at % 26)}${at}`, email: `s${at}@mail.example` }));

/** A school with thirty students, whose receipts wait for ten minutes. */
const test = base.extend<{ slow: School }>({
  slow: ({}, use) =>
    openSchool(use, { SCHOOLHOUSE_OFFICE_UNDO_SECONDS: '600' }, (folder) => {
      run(['--data-dir', folder, 'import-courses', catalogue]);
      const sheet = join(folder, 'students.csv');
      writeFileSync(sheet, ['email,fullName', ...students.map(({ name, email }) => `${email},${name}`)].join('\n'));
      run(['--data-dir', folder, 'import-students', sheet]);
    }),
});

test('a file of 30 lines becomes 27 payments, and is undone to the cent', async ({ page, slow }) => {
  const staff = await newStaff(slow);
  const json = async <T>(path: string) => (await (await staff.get(path)).json()) as T;
  const courses = await json<{ id: number }[]>('/api/admin/courses');
  const found = await json<{ id: number; email: string }[]>('/api/admin/students');
  const rows: { code: string; name: string; cents: number }[] = [];
  for (const [at, { name, email }] of students.entries()) {
    const studentId = found.find((one) => one.email === email)?.id;
    const cents = 10_001 + at * 1_111;
    const data = { studentId, courseId: courses[0]?.id, startDate: '2030-09-01', endDate: '2031-01-31', price: (cents / 100).toFixed(2), reason: 'Agreed with the family.', override: { documents: 'Later', profile: 'Later', guardian: 'Later' } };
    // oxlint-disable-next-line no-await-in-loop -- one after the other, as the office does
    const enrolled = await staff.post('/api/admin/enrollments', { data });
    // oxlint-disable-next-line no-await-in-loop
    expect(enrolled.ok(), await enrolled.text()).toBe(true);
    // oxlint-disable-next-line no-await-in-loop
    rows.push({ name, cents, code: (await json<{ paymentCode: string }>(`/api/admin/students/${studentId}/ledger`)).paymentCode });
  }
  const due = async () => (await json<{ due: number }>('/api/admin/money/summary')).due;
  const receipts = async () => (await json<{ subject: string }[]>('/api/admin/mail')).filter(({ subject }) => subject.startsWith('Receipt')).length;
  const before = await due();
  const line = (text: string, cents: number) => `2026-01-15,${text},${(cents / 100).toFixed(2)}`;
  const file = (lines: string[]) => ({ name: 'bank.csv', mimeType: 'text/csv', buffer: Buffer.from(['When,What,How much', ...lines].join('\n')) });
  const seen = line('CASH DEPOSIT 77', 5_000);

  // The first file of an unknown bank: its columns are chosen once.
  await enter(page, slow, '/admin/money/bank');
  const field = page.getByLabel('File of the bank');
  await field.setInputFiles(file([seen]));
  await expect(page.getByRole('heading', { name: 'Match the Columns' })).toBeVisible();
  await page.getByLabel('Date', { exact: true }).selectOption('1: When');
  await page.getByLabel('Text', { exact: true }).selectOption('2: What');
  await page.getByLabel('Amount', { exact: true }).selectOption('3: How much');
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await expectToast(page, 'File imported', '1 line');

  const coded = rows.slice(0, 22).map(({ code, cents }) => line(`e-Transfer ${code.toLowerCase()}`, cents));
  const named = rows.slice(22, 27).map(({ name, cents }) => line(`E-TFR ${name.toUpperCase()}`, cents));
  await field.setInputFiles(file([...coded, ...named, line('J MORALES', 12_345), line('0417 HOLDINGS', 54_321), seen]));
  await expectToast(page, 'File imported', '30 lines');
  await expect(page.getByText('29 lines to review')).toBeVisible();
  await expectSoundInEveryLook(page);
  await page.getByRole('button', { name: /^Record All Matched \(22/ }).press('Enter');
  await expectToast(page, '22 payments recorded');
  // A decided line stays where it is: a second press at the same place records nothing more.
  const recorded = page.getByRole('table', { name: /Bank account/ }).first().getByRole('row').filter({ hasText: /Recorded/ });
  await expect(recorded).toHaveCount(22);
  for (const [at, { name }] of rows.slice(22, 27).entries()) {
    const button = page.getByRole('button', { name: new RegExp(`^Record .* of ${name}$`) });
    // oxlint-disable-next-line no-await-in-loop -- each line is recorded before the next one
    await button.scrollIntoViewIfNeeded();
    // oxlint-disable-next-line no-await-in-loop
    const { x, y, width, height } = (await button.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    const press = () => page.mouse.click(x + width / 2, y + height / 2);
    // oxlint-disable-next-line no-await-in-loop
    await press();
    // oxlint-disable-next-line no-await-in-loop
    await expect(recorded).toHaveCount(23 + at);
    // oxlint-disable-next-line no-await-in-loop
    await press();
    // oxlint-disable-next-line no-await-in-loop
    await expect(recorded).toHaveCount(23 + at);
  }
  // One is taken back, and recorded again.
  const last = recorded.filter({ hasText: rows[26]?.name ?? '' });
  await last.getByRole('button', { name: /^Undo the line/ }).click();
  await page.getByRole('dialog', { name: 'Undo this payment?' }).getByRole('button', { name: 'Undo Payment' }).click();
  await expectToast(page, 'Undone', 'The line is up for review again.');
  await expect(page.getByText('3 lines to review')).toBeVisible();
  await expectSoundInEveryLook(page);
  await page.getByRole('button', { name: new RegExp(`^Record .* of ${rows[26]?.name}$`) }).press('Enter');
  await expect(page.getByText('2 lines to review')).toBeVisible();
  const sum = rows.slice(0, 27).reduce((total, { cents }) => total + cents, 0);
  expect(Math.round((before - (await due())) * 100)).toBe(sum);
  expect(await receipts()).toBe(27);

  await page.getByRole('button', { name: 'Undo Import' }).click();
  const question = page.getByRole('dialog', { name: 'Undo this import?' });
  await expect(question).toContainText(`27 payments totalling $${(sum / 100).toLocaleString('en-CA', { minimumFractionDigits: 2 })}`);
  await question.getByRole('button', { name: 'Undo Import' }).click();
  await expectToast(page, 'Import undone', '27 payments reversed');
  expect(await due()).toBe(before);
  expect(await receipts()).toBe(0);
  const payments = await json<{ voidedAt: string | null }[]>('/api/admin/payments');
  expect(payments.filter(({ voidedAt }) => voidedAt === null)).toEqual([]);
});
