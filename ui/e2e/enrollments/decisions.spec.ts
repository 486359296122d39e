// Declining a request, and undoing a decision while its email waits.
import type { Page } from '@playwright/test';
import { enter, newStaff, newStudent, signIn } from '../actors.ts';
import { expectSoundInEveryLook } from '../looks.ts';
import { subjectsTo } from '../mail.ts';
import { catalogue, expect, expectToast, openSchool, run, type School, test as base } from '../school.ts';
import { requestCourses } from './actions.ts';

/** A school whose decisions can be undone for ten minutes. */
const test = base.extend<{ slow: School }>({
  slow: ({}, use) =>
    openSchool(use, { SCHOOLHOUSE_OFFICE_UNDO_SECONDS: '600' }, (folder) => void run(['--data-dir', folder, 'import-courses', catalogue])),
});

const row = (page: Page, code: string) =>
  page.getByRole('table', { name: 'Pending Enrollment Requests' }).getByRole('row').filter({ hasText: code });

test('an approval is undone from its row, without an email', async ({ page, slow }) => {
  const person = await newStudent(slow, 'undone');
  await requestCourses(person, ['ENG4U', 'MHF4U']);
  await enter(page, slow, '/admin/dashboard');
  await row(page, 'ENG4U').getByRole('button', { name: 'Approve' }).click();
  await expectToast(page, 'Enrollment approved');
  await expect(page.getByText('1 request', { exact: true })).toBeVisible();
  await expect(row(page, 'ENG4U').getByText('active', { exact: true })).toBeVisible();
  await expectSoundInEveryLook(page);
  const staff = await newStaff(slow);
  const waiting = async () => ((await (await staff.get('/api/admin/mail')).json()) as { subject: string }[]).map(({ subject }) => subject);
  expect(await waiting()).toContain('Your enrollment is approved');
  await row(page, 'ENG4U').getByRole('button', { name: 'Undo' }).click();
  await expectToast(page, 'Decision undone');
  await expect(row(page, 'ENG4U').getByRole('button', { name: 'Approve' })).toBeFocused();
  await expect(row(page, 'ENG4U').getByText('pending', { exact: true })).toBeVisible();
  await expect(page.getByText('2 requests', { exact: true })).toBeVisible();
  expect(await waiting()).not.toContain('Your enrollment is approved');
});

test('a request is declined for a reason that the student reads', async ({ page, fresh }) => {
  const person = await newStudent(fresh, 'declined');
  await requestCourses(person, ['ENG4U']);
  await enter(page, fresh, '/admin/dashboard');
  await row(page, 'ENG4U').getByRole('button', { name: /^More decisions/ }).click();
  await page.getByRole('button', { name: 'Decline…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Decline this request?' });
  const words = dialog.getByLabel('Message to the student');
  await expect(words).toHaveValue(/All seats of this course are taken/);
  await dialog.getByLabel('Reason').selectOption('Dates');
  await expect(words).toHaveValue(/does not run on the dates/);
  await dialog.getByRole('button', { name: 'Preview the email' }).click();
  const sample = dialog.getByRole('article', { name: 'The email' });
  await expect(sample).toContainText('declined@mail.example');
  await expect(sample).toContainText('This course does not run on the dates that you asked for.');
  await expectSoundInEveryLook(page);
  // A changed message needs another preview.
  await words.fill('Too full');
  await expect(sample).toHaveCount(0);
  await dialog.getByRole('button', { name: 'Decline' }).click();
  await expect(dialog.getByText('Please say in at least 10 characters why; the student reads it').first()).toBeVisible();
  await expectSoundInEveryLook(page);
  await words.fill('The winter class is full. Spring has room.');
  await dialog.getByRole('button', { name: 'Decline' }).click();
  await expectToast(page, 'Request declined');
  await expect(row(page, 'ENG4U').getByText('declined', { exact: true })).toBeVisible();
  await expect(row(page, 'ENG4U').getByRole('button', { name: /Approve|decisions/ })).toHaveCount(0);
  await expect.poll(() => subjectsTo(fresh, person.email)).toContain('Your enrollment request was declined');

  await signIn(page, person);
  await page.goto(`${fresh.url}/student/dashboard?tab=courses`);
  await expect(page.getByText('The winter class is full. Spring has room.')).toBeVisible();
});

test('an approval whose email has left is reversed, and the student reads the correction', async ({ page, fresh }) => {
  const person = await newStudent(fresh, 'reversed');
  await requestCourses(person, ['ENG4U']);
  await enter(page, fresh, '/admin/dashboard');
  await row(page, 'ENG4U').getByRole('button', { name: 'Approve' }).click();
  await expectToast(page, 'Enrollment approved');
  await expect.poll(() => subjectsTo(fresh, person.email)).toContain('Your enrollment is approved');
  const staff = await newStaff(fresh);
  const due = async () => ((await (await staff.get('/api/admin/dashboard')).json()) as { totalFeeDue: number }).totalFeeDue;
  expect(await due()).toBeGreaterThan(0);

  await page.goto(`${fresh.url}/admin/enrollments?tab=active`);
  await page.getByRole('button', { name: /^More decisions/ }).click();
  await page.getByRole('button', { name: 'Reverse approval…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Reverse this approval?' });
  await dialog.getByRole('textbox').fill('It was approved for the wrong semester.');
  await expectSoundInEveryLook(page);
  await dialog.getByRole('button', { name: 'Reverse Approval' }).click();
  await expectToast(page, 'Approval reversed');
  await expect.poll(() => subjectsTo(fresh, person.email)).toContain('Correction: your enrollment is not approved yet');
  expect(await due()).toBe(0);
});

test('a colleague’s decision is shown, and no input is lost', async ({ page, slow }) => {
  const person = await newStudent(slow, 'raced');
  await requestCourses(person, ['ENG4U']);
  await enter(page, slow, '/admin/dashboard');
  await row(page, 'ENG4U').getByRole('button', { name: /^More decisions/ }).click();
  await page.getByRole('button', { name: 'Decline…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Decline this request?' });
  await dialog.getByLabel('Message to the student').fill('The class of this winter is full.');
  const own = (await (await person.calls.get('/api/students/enrollments')).json()) as { id: number }[];
  await person.calls.post(`/api/students/enrollments/${own[0]?.id}/withdraw`, { data: {} });
  await dialog.getByRole('button', { name: 'Decline' }).click();
  await expectToast(page, 'Failed to decline the request', 'This enrollment is withdrawn and can no longer be declined.');
  await expect(row(page, 'ENG4U').getByText('withdrawn', { exact: true })).toBeVisible();
});
