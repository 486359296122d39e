// Monday in the office: forty requests at once, some with missing items, and two people deciding.
import type { APIRequestContext, Page } from '@playwright/test';
import { enter, newStaff, newStudent } from '../actors.ts';
import { expectSound, expectSoundInEveryLook } from '../looks.ts';
import { catalogue, expect, expectToast, openSchool, run, type School, test as base } from '../school.ts';
import { approveAll, over, requestCourses, shown, term } from './actions.ts';

/** A school whose decisions can be undone for ten minutes, and that asks for no documents. */
const test = base.extend<{ monday: School }>({
  monday: ({}, use) =>
    openSchool(use, { SCHOOLHOUSE_OFFICE_UNDO_SECONDS: '600', SCHOOLHOUSE_OFFICE_DOCUMENTS: 'off' }, (folder) =>
      void run(['--data-dir', folder, 'import-courses', catalogue])),
});

const profile = {
  phoneNumber: '(416) 555-0123', gender: 'other', canadianStatus: 'citizen', address: '7 Example Lane', city: 'Toronto',
  province: 'ON', postalCode: 'M5V 0A0',
};

/** Forty requests of forty students for $500 each; two students are under 18, one class is full. */
async function fortyRequests(staff: APIRequestContext): Promise<{ id: number; name: string }[]> {
  const post = async (path: string, data: object) => {
    const answer = await staff.post(path, { data });
    expect(answer.ok(), `${path}: ${await answer.text()}`).toBe(true);
    return (await answer.json()) as { id: number; version: number };
  };
  const course = (code: string) =>
    post('/api/admin/courses', { code, name: `Course ${code}`, description: 'What it is about.', grade: 12, courseType: 'Open', price: 500 });
  const [open, small] = [await course('MON4O'), await course('TUE4O')];
  expect((await staff.patch(`/api/admin/courses/${small.id}`, { data: { capacity: 1 } })).ok()).toBe(true);
  const ask = (studentId: number, courseId: number, status: string) =>
    post('/api/admin/enrollments', { studentId, courseId, ...term, status, reason: 'As in the letter of the family.' });
  const student = async (name: string, dateOfBirth: string) => {
    const email = `${name.toLowerCase().replace(' ', '.')}@mail.example`;
    const made = await post('/api/admin/students', { fullName: name, email, invite: false });
    const change = { ...profile, fullName: name, dateOfBirth, version: made.version, reason: 'From the form on paper.' };
    const answer = await staff.patch(`/api/admin/students/${made.id}`, { data: change });
    expect(answer.ok(), await answer.text()).toBe(true);
    return made.id;
  };
  await ask(await student('Seat Taker', '2000-01-01'), small.id, 'active');
  const requests = [];
  for (let n = 10; n < 50; n += 1) {
    const name = `Student ${n}`;
    const id = await student(name, n < 12 ? '2012-05-05' : '2000-01-01');
    requests.push({ id: (await ask(id, n === 12 ? small.id : open.id, 'pending')).id, name });
  }
  return requests;
}

const due = async (staff: APIRequestContext) =>
  ((await (await staff.get('/api/admin/dashboard')).json()) as { totalFeeDue: number }).totalFeeDue;

/** Number of queued or sent approval emails. */
async function approvalsWritten(staff: APIRequestContext): Promise<number> {
  const mail = (await (await staff.get('/api/admin/mail')).json()) as { subject: string }[];
  return mail.filter(({ subject }) => subject === 'Your enrollment is approved').length;
}

const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });
const bar = (page: Page) => page.getByRole('group', { name: 'Bulk actions' });

test('forty requests are approved in four clicks, and those with missing items are named', async ({ page, monday }) => {
  test.slow();
  const staff = await newStaff(monday);
  const requests = await fortyRequests(staff);
  await enter(page, monday, '/admin/enrollments');
  await expect(page.getByText('40 requests', { exact: true })).toBeVisible();
  await expectSoundInEveryLook(page);
  const meanwhile = requests[20];
  await staff.post(`/api/admin/enrollments/${meanwhile?.id}/decline`, { data: { reason: 'The family has moved away.' } });

  await page.getByRole('checkbox', { name: 'Select all on this page' }).click();
  await page.getByRole('button', { name: 'Select all 40' }).click();
  await expect(page.getByText('39 selected')).toBeVisible();
  await bar(page).getByRole('button', { name: 'Approve…' }).click();
  const sheet = page.getByRole('dialog', { name: 'Approve 39 requests?' });
  // The result shows whether undo is possible.
  await expect(sheet).toContainText('emails are sent, with the copies to guardians.');
  await expect(sheet).not.toContainText(/undo/i);
  await expect(sheet).toContainText('36 of 39 are approved, in the order of the list.');
  await expect(sheet).toContainText('Student 10, MON4O: guardian not confirmed');
  await expect(sheet).toContainText('Student 12, TUE4O: class full');
  await expect(sheet.getByText('Charges $18,000.00.')).toBeVisible();
  await expectSound(page);
  await sheet.getByRole('button', { name: 'Approve 36' }).click();
  const result = page.getByRole('region', { name: 'Result' });
  await expect(result.getByText(/^36 approved\. Emails are sent at/)).toBeVisible();
  await expectSound(page);
  expect(await due(staff)).toBe(18_500);
  expect(await approvalsWritten(staff)).toBe(37);

  // One is undone: no email and no charge.
  await row(page, 'Student 13').getByRole('button', { name: 'Undo' }).click();
  await expectToast(page, 'Decision undone');
  expect(await due(staff)).toBe(18_000);
  expect(await approvalsWritten(staff)).toBe(36);
  const undone = (await (await staff.get('/api/admin/enrollments?status=pending&q=Student+13')).json()) as { status: string }[];
  expect(undone.map(({ status }) => status)).toEqual(['pending']);
  await result.getByRole('button', { name: 'Undo all' }).click();
  await expectToast(page, 'Decisions undone', '35 requests wait again');
  expect(await due(staff)).toBe(500);
});

test('the full class takes one more for a reason, from its row', async ({ page, monday }) => {
  test.slow();
  const staff = await newStaff(monday);
  await fortyRequests(staff);
  await enter(page, monday, '/admin/enrollments?q=Student+12');
  await expect(row(page, 'Student 12')).toContainText('seat');
  await row(page, 'Student 12').getByRole('button', { name: 'Approve…' }).click();
  const sheet = page.getByRole('dialog', { name: 'Approve 1 request?' });
  await sheet.getByRole('button', { name: 'Approve 1' }).click();
  await expect(sheet.getByRole('alert')).toContainText('Give a reason for approving without the missing items.');
  await sheet.getByLabel('Reason for approving without the missing items').fill('A chair was found.');
  await sheet.getByRole('button', { name: 'Approve 1' }).click();
  await expect(row(page, 'Student 12').getByText('active', { exact: true })).toBeVisible();
});

test('two people approving the same forty make forty charges and forty emails', async ({ browser, monday }) => {
  test.slow();
  const staff = await newStaff(monday);
  await fortyRequests(staff);
  const pages = await Promise.all([1, 2].map(async () => (await browser.newContext()).newPage()));
  for (const page of pages) {
    await enter(page, monday, '/admin/enrollments');
    await page.getByRole('checkbox', { name: 'Select all on this page' }).click();
    await page.getByRole('button', { name: 'Select all 40' }).click();
    await bar(page).getByRole('button', { name: 'Approve…' }).click();
    await page.getByRole('dialog').getByRole('checkbox', { name: 'All 3' }).check();
    await page.getByLabel('Reason for approving without the missing items').fill('Known to the office.');
  }
  await Promise.all(pages.map((page) => page.getByRole('button', { name: 'Approve 40' }).click()));
  for (const page of pages) await expect(page.getByRole('region', { name: 'Result' })).toContainText('40 approved');
  expect(await due(staff)).toBe(41 * 500);
  expect(await approvalsWritten(staff)).toBe(41);
});

test('the list is decided by keyboard alone', async ({ page, monday }) => {
  test.slow();
  const staff = await newStaff(monday);
  await fortyRequests(staff);
  await enter(page, monday, '/admin/dashboard');
  await expect(row(page, 'Student 10')).toBeVisible();
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keys' })).toContainText('Next row');
  await expectSound(page);
  await page.keyboard.press('Escape');
  for (const key of ['j', 'j', 'j', 'k', 'x']) await page.keyboard.press(key);
  await expect(page.getByRole('checkbox', { name: /Student 11/ })).toBeChecked();
  await page.keyboard.press('x');
  await page.keyboard.press('j');
  await page.keyboard.press('o');
  await expect(page.getByText('Open the full record')).toBeVisible();
  await page.keyboard.press('j');
  await page.keyboard.press('a');
  await expect(row(page, 'Student 13').getByText('active', { exact: true })).toBeVisible();
  await page.keyboard.press('/');
  await expect(page.getByRole('combobox')).toBeFocused();
});

test('an individually decided row is excluded from a bulk decision', async ({ page, monday }) => {
  await requestCourses(await newStudent(monday, 'several'), ['ENG4U', 'MHF4U', 'SCH4U']);
  await enter(page, monday, '/admin/enrollments');
  await page.getByRole('checkbox', { name: 'Select all on this page' }).click();
  await row(page, 'ENG4U').getByRole('button', { name: 'Approve' }).click();
  await expectToast(page, 'Enrollment approved');
  await expect(bar(page).getByText('2 selected')).toBeVisible();
  await bar(page).getByRole('button', { name: 'Approve…' }).click();
  const sheet = page.getByRole('dialog', { name: 'Approve 2 requests?' });
  await sheet.getByRole('checkbox', { name: 'All 2' }).check();
  await sheet.getByRole('button', { name: 'Approve 2' }).click();
  const result = page.getByRole('region', { name: 'Result' });
  await expect(result.getByText(/^2 approved\. Emails are sent at \d+:\d\d [AP]M\.$/)).toBeVisible();
  // Its own Undo is still there; after undoing one, one is left.
  await expect(row(page, 'ENG4U').getByRole('button', { name: 'Undo' })).toBeVisible();
  await row(page, 'MHF4U').getByRole('button', { name: 'Undo' }).click();
  await expectToast(page, 'Decision undone', 'The request waits again, and no email about it was sent.');
  await expect(result.getByText(/^1 approved/)).toBeVisible();
  await result.getByRole('button', { name: 'Undo all' }).click();
  await expectToast(page, 'Decisions undone', 'The request waits again');
  await expect(result).toBeHidden();
  await expect(page.getByRole('heading', { name: 'Waiting', exact: true })).toBeFocused();
  await expect(row(page, 'ENG4U').getByText('active', { exact: true })).toBeVisible();
});

test('new dates and a mark show in the row, which stays undecided', async ({ page, monday }) => {
  const person = await newStudent(monday, 'amended');
  await requestCourses(person, ['MHF4U'], over);
  await approveAll(await newStaff(monday));
  await requestCourses(person, ['SCH4U']);
  await enter(page, monday, '/admin/enrollments');
  const science = row(page, 'SCH4U');
  await science.getByRole('button', { name: /^More decisions/ }).click();
  await science.getByRole('button', { name: 'Change dates…' }).click();
  const dates = page.getByRole('dialog', { name: 'Change the dates' });
  const start = dates.getByLabel('Start date');
  const later = new Date(Date.parse(await start.inputValue()) + 3 * 86_400_000).toISOString().slice(0, 10);
  await start.fill(later);
  await dates.getByLabel('Reason').fill('The family moves later.');
  await dates.getByRole('button', { name: 'Change Dates' }).click();
  await expectToast(page, 'Dates changed');
  await expect(science).toContainText(shown(later));
  await expect(science.getByRole('button', { name: 'Approve' })).toBeVisible();
  await expect(page.getByText('1 request', { exact: true })).toBeVisible();

  await enter(page, monday, '/admin/enrollments?tab=active');
  await row(page, 'MHF4U').getByRole('button', { name: 'Mark…' }).click();
  const mark = page.getByRole('dialog', { name: 'Enter the final mark' });
  await mark.getByLabel(/^Final mark/).fill('77');
  await mark.getByRole('button', { name: 'Complete' }).click();
  await expect(row(page, 'MHF4U')).toContainText('77%');
  await row(page, 'MHF4U').getByRole('button', { name: 'Undo' }).click();
  await expectToast(page, 'Decision undone', 'All is as it was before, and no email about it was sent.');
  await expect(row(page, 'MHF4U')).not.toContainText('77%');
});
