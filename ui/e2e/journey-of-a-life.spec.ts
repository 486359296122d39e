// A student's whole life at the school: an application, an offer, an account, a document that is rejected and replaced,
// three requests with three outcomes, a guardian's confirmation by link, prices and a mark. Emails are read from the spool.
import type { Page } from '@playwright/test';
import { completeProfile, enter, logInStudent, newStaff, visitor } from './actors.ts';
import { pdf } from './documents/files.ts';
import { daysFromNow, over, running, requestCourses } from './enrollments/actions.ts';
import { emails, linkTo, subjectsTo } from './mail.ts';
import { expect, expectToast, type School, test } from './school.ts';

const email = 'mei@mail.example';
const guardian = 'emi@mail.example';
const form = {
  firstName: 'Mei', lastName: 'Tanaka', email, phone: '647 555 0199', address: '88 Sample Crescent, Toronto', grade: 12,
  dateOfBirth: '2010-05-01', guardianName: 'Emi Tanaka', guardianEmail: guardian, consents: ['privacy'],
};

/** Applies, sends the transcript that the office asks for, and accepts the offer. */
async function takePlace(phone: Page, school: School) {
  const staff = await newStaff(school);
  const applied = await (await visitor(school)).post('/api/applications', { data: form });
  const { reference } = (await applied.json()) as { reference: string };
  const [{ id }] = (await (await staff.get(`/api/admin/admission-requests?q=${reference}`)).json()) as [{ id: number }];
  const decide = async (verb: string, data: object) => expect((await staff.post(`/api/admin/admission-requests/${id}/${verb}`, { data })).ok()).toBe(true);
  const open = async (subject: string) => {
    await expect.poll(() => subjectsTo(school, email)).toContain(`${subject} (${reference})`);
    await phone.goto(await linkTo(school, email, '/application'));
  };
  await decide('ask', { text: 'Please send your last transcript.', wants: ['transcript'] });
  await open('We have a question about your application');
  await expect(phone.getByText('Please upload: School Transcript.')).toBeVisible();
  await phone.getByRole('button', { name: 'Upload a Document' }).click();
  await uploadIn(phone, 'transcript.pdf');
  await expect(phone.getByRole('listitem').filter({ hasText: 'transcript.pdf' })).toContainText('Received');
  await phone.getByLabel('Your answer').fill('Here it is.');
  await phone.getByRole('button', { name: 'Send Answer' }).click();
  await expectToast(phone, 'Answer sent');
  await decide('offer', { feeDue: 250, expiresOn: daysFromNow(7) });
  await open('We offer you a place');
  await phone.getByLabel('Your full name').fill('Emi Tanaka');
  await phone.getByRole('checkbox', { name: /I accept/ }).check();
  await phone.getByRole('button', { name: 'Accept the Offer' }).click();
  await expect(phone.getByText('The place is yours.')).toBeFocused();
}

/** Uploads a file in the open dialog, which knows the type. */
async function uploadIn(page: Page, name: string) {
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByLabel('Document type')).toHaveValue('transcript');
  await dialog.locator('input[type=file]').setInputFiles(pdf(name));
  await dialog.getByRole('button', { name: 'Upload', exact: true }).click();
  await expect(dialog).toHaveCount(0);
}

/** Decides about the one document that waits, by keyboard. */
async function review(desk: Page, school: School, ...keys: string[]) {
  await enter(desk, school, '/admin/documents?status=pending_review');
  await expect(desk.getByRole('button', { name: 'Accept', exact: true })).toBeVisible();
  for (const key of keys) {
    await desk.keyboard.press(key);
    if (key === 'r') await expect(desk.getByRole('dialog')).toBeVisible();
  }
  await expect(desk.getByRole('heading', { name: 'Nothing waits for review' })).toBeVisible();
}

test('a family applies, and the student takes three courses with three outcomes', async ({ browser, page, fresh }) => {
  test.slow();
  const staff = await newStaff(fresh);
  const courses = (await (await staff.get('/api/admin/courses')).json()) as { id: number; code: string }[];
  const price = async (code: string, dollars: number) => {
    const id = courses.find((course) => course.code === code)?.id;
    expect((await staff.patch(`/api/admin/courses/${id}`, { data: { price: dollars } })).ok()).toBe(true);
  };
  await price('SCH4U', 640);
  const phone = await (await browser.newContext({ viewport: { width: 390, height: 844 } })).newPage();
  const desk = await (await browser.newContext()).newPage();
  await takePlace(phone, fresh);

  // The invitation leads to the account, where the transcript is already; it is rejected and replaced.
  await page.goto(await linkTo(fresh, email, '/student/choose-password'));
  const person = { email, password: 'correct horse battery', calls: await visitor(fresh) };
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.getByLabel('Confirm Password').fill(person.password);
  await page.getByRole('button', { name: 'Save My Password' }).click();
  await expect(page).toHaveURL(/verified=true/);
  await logInStudent(page, fresh, person);
  await review(desk, fresh, 'r', '1');
  await expect.poll(() => subjectsTo(fresh, email)).toContain('Please upload your document again: School Transcript');
  await page.goto(`${fresh.url}/student/dashboard?tab=documents`);
  const rejected = page.getByRole('tabpanel').getByRole('listitem').filter({ hasText: 'It cannot be read.' });
  await rejected.getByRole('button', { name: 'Upload a New One' }).click();
  await uploadIn(page, 'better.pdf');
  await review(desk, fresh, 'a');

  // Three courses, which the guardian confirms.
  expect((await person.calls.post('/api/students/login', { data: person })).ok()).toBe(true);
  const { gender, canadianStatus, address, city, province, postalCode } = completeProfile;
  expect((await person.calls.patch('/api/students/me', { data: { gender, canadianStatus, address, city, province, postalCode } })).ok()).toBe(true);
  await requestCourses(person, ['ENG4U', 'MHF4U']);
  await requestCourses(person, ['SCH4U'], running);
  await expect.poll(() => emails(fresh, guardian).findLast((one) => one.includes('Please confirm a request'))).toContain('$640.00');
  await phone.goto(await linkTo(fresh, guardian, '/family'));
  await expect(phone.getByText('3 requests wait for your answer.')).toBeVisible();
  const asked = phone.getByRole('article');
  await asked.first().getByLabel('Your full name').fill('Emi Tanaka');
  for (const left of [2, 1, 0]) {
    await asked.first().getByRole('button', { name: 'I Agree' }).click();
    await expect(asked).toHaveCount(left);
  }

  const [row] = (await (await staff.get(`/api/admin/students?q=${email}`)).json()) as { id: number }[];
  await enter(desk, fresh, `/admin/students/${row?.id}`);
  await desk.getByRole('tab', { name: /^Courses/ }).click();
  const card = (code: string) => desk.getByRole('article', { name: new RegExp(code) });
  const choose = async (code: string, label: string) => {
    await card(code).getByRole('button', { name: /^More decisions/ }).click();
    await desk.getByRole('button', { name: label }).click();
  };
  const reason = 'We have no proof yet that you completed English in grade 11.';
  await choose('ENG4U', 'Decline…');
  const decline = desk.getByRole('dialog', { name: 'Decline this request?' });
  await decline.getByLabel('Reason').selectOption({ label: 'Prerequisite missing' });
  await decline.getByLabel('Message to the student').fill(reason);
  await decline.getByRole('button', { name: 'Decline', exact: true }).click();
  await expectToast(desk, 'Request declined');
  await choose('MHF4U', 'Put on waiting list');
  await expectToast(desk, 'On the waiting list');
  await card('SCH4U').getByRole('button', { name: 'Approve' }).click();
  await expectToast(desk, 'Enrollment approved');

  const decided = ['Your enrollment request was declined', 'Your enrollment is approved'];
  for (const subject of decided) {
    // oxlint-disable-next-line no-await-in-loop
    await expect.poll(() => subjectsTo(fresh, email)).toContain(subject);
  }
  const approval = emails(fresh, email).find((email) => email.includes('Your enrollment is approved')) ?? '';
  expect(approval).toContain('$640.00');

  // The price changes twice afterwards; the student sees the quoted one.
  await price('SCH4U', 700);
  await price('SCH4U', 760);
  await page.goto(`${fresh.url}/student/dashboard?tab=courses`);
  await expect(page.getByText('$640.00').first()).toBeVisible();
  await expect(page.getByText(/\$7[06]0\.00/)).toHaveCount(0);
  await expect(page.getByText(reason)).toBeVisible();
  await expect(page.getByText('waitlisted', { exact: true })).toBeVisible();

  // The course ends.
  const [taken] = (await (await staff.get(`/api/admin/enrollments?student=${row?.id}&status=active`)).json()) as { id: number }[];
  expect((await staff.post(`/api/admin/enrollments/${taken?.id}/dates`, { data: { ...over, reason: 'It was taught in the fall.' } })).ok()).toBe(true);
  await desk.reload();
  await card('SCH4U').getByRole('button', { name: 'Mark…' }).click();
  const mark = desk.getByRole('dialog', { name: 'Enter the final mark' });
  await mark.getByLabel('Final mark, 0 to 100').fill('87');
  await mark.getByRole('button', { name: 'Complete' }).click();
  await expectToast(desk, 'Course completed');
  await expect.poll(() => subjectsTo(fresh, email)).toContain('You have completed a course');

  await desk.reload();
  await expect(card('SCH4U')).toContainText('charged $640.00');
  await expect(card('SCH4U')).toContainText('Completed, 87 %');
  await expect(card('ENG4U')).toContainText(reason);
  await expect(card('MHF4U')).toContainText('Put on the waiting list');
  await desk.getByRole('tab', { name: 'History' }).click();
  await expect(desk.getByText(/Guardian’s confirmation: .*on the family page/).first()).toBeVisible();
  await page.reload();
  await expect(page.getByText('87').first()).toBeVisible();
});
