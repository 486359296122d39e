// "Confirm it's you": the identity dialog, after which the pending request is sent.
import type { Locator, Page } from '@playwright/test';
import { asStaff, newStaff, newStudent } from '../actors.ts';
import { approveAll, requestCourses } from '../enrollments/actions.ts';
import { pdf } from '../documents/files.ts';
import { expectSoundInEveryLook } from '../looks.ts';
import { expect, expectToast, openSchool, type School, test } from '../school.ts';

const question = (page: Page) => page.getByRole('dialog', { name: 'Confirm It’s You' });

/** Simulates an old login for the next such request; the proof and the rest are real. */
async function forget(page: Page, address: string) {
  const body = { message: 'Please confirm that it is you, then try again.', reason: 'step_up' };
  await page.route(address, (route) => route.fulfill({ status: 403, json: body }), { times: 1 });
}

async function answer(page: Page, password: string) {
  await question(page).getByLabel('Your Password', { exact: true }).fill(password);
  await question(page).getByRole('button', { name: 'Confirm', exact: true }).click();
}

test('a form that needs a confirmed identity asks over the input, and is then sent', async ({ page, fresh }) => {
  await asStaff(page, fresh);
  await page.goto(`${fresh.url}/admin/staff`);
  await page.getByRole('button', { name: 'Invite Colleague' }).click();
  const invite = page.getByRole('dialog', { name: 'Invite a Colleague' });
  await invite.getByLabel('Full name').fill('Noor Haddad');
  await invite.getByLabel('Email').fill('noor@northgate.example');
  await forget(page, '**/api/admin/staff/invitations');
  await invite.getByRole('button', { name: 'Send Invitation' }).click();
  await expect(question(page).getByLabel('Your Password', { exact: true })).toBeFocused();
  await expectSoundInEveryLook(page);
  await answer(page, 'not the password');
  await expect(question(page).getByLabel('Your Password', { exact: true })).toHaveAccessibleDescription('This is not your current password');

  // Cancelling leaves the form as it was.
  await question(page).getByRole('button', { name: 'Cancel' }).click();
  await expect(invite.getByText('Please confirm that it is you, then try again.')).toBeVisible();
  await expect(invite.getByLabel('Full name')).toHaveValue('Noor Haddad');
  await forget(page, '**/api/admin/staff/invitations');
  await invite.getByRole('button', { name: 'Send Invitation' }).click();
  await answer(page, fresh.staff.password);
  await expectToast(page, 'Invitation sent', 'noor@northgate.example');
});

test('an identity dialog that fails to load leaves the form, and loads the next time', async ({ page, fresh }) => {
  await asStaff(page, fresh);
  let lost = 0;
  await page.route('**/assets/IdentityQuestion-*.js', async (route) => {
    await route.abort('internetdisconnected');
    lost += 1;
  });
  await page.goto(`${fresh.url}/admin/staff`);
  await page.getByRole('button', { name: 'Invite Colleague' }).click();
  await expect.poll(() => lost).toBeGreaterThan(0);
  const invite = page.getByRole('dialog', { name: 'Invite a Colleague' });
  await invite.getByLabel('Full name').fill('Noor Haddad');
  await invite.getByLabel('Email').fill('noor@northgate.example');
  await forget(page, '**/api/admin/staff/invitations');
  await invite.getByRole('button', { name: 'Send Invitation' }).click();
  await expect(invite.getByText('Please confirm that it is you, then try again.')).toBeVisible();
  await expect(invite.getByLabel('Full name')).toHaveValue('Noor Haddad');
  await page.unroute('**/assets/IdentityQuestion-*.js');
  await forget(page, '**/api/admin/staff/invitations');
  await invite.getByRole('button', { name: 'Send Invitation' }).click();
  await answer(page, fresh.staff.password);
  await expectToast(page, 'Invitation sent', 'noor@northgate.example');
});

/** Submits a field, cancels the dialog, finds the input kept, then confirms. */
async function proveOver(page: Page, school: School, address: string, { submit, typed }: { submit: Locator; typed?: Locator }) {
  const words = await typed?.inputValue();
  await forget(page, address);
  await submit.click();
  await question(page).getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByText('Please confirm that it is you, then try again.').first()).toBeVisible();
  if (typed) await expect(typed).toHaveValue(words ?? '');
  await forget(page, address);
  await submit.click();
  await answer(page, school.staff.password);
  await expect(question(page)).toHaveCount(0);
}

test('input about a student, a request, the site and an import survives the identity dialog', async ({ page, fresh }) => {
  const staff = await newStaff(fresh);
  for (const [name, email] of [['Ada Kept', 'ada@mail.example'], ['Ada Double', 'double@mail.example']]) {
    // Sequential: their numbers follow their names.
    // oxlint-disable-next-line no-await-in-loop
    expect((await staff.post('/api/admin/students', { data: { fullName: name, email, invite: false } })).ok()).toBe(true);
  }
  const noted = await staff.post('/api/admin/privacy-requests', { data: { studentId: 1, askedBy: 'guardian', kind: 'access', receivedOn: '2026-01-02' } });
  expect(noted.ok(), await noted.text()).toBe(true);
  await asStaff(page, fresh);

  await page.goto(`${fresh.url}/admin/privacy`);
  await page.getByRole('button', { name: 'Actions for the request of Ada Kept' }).click();
  await page.getByRole('button', { name: 'Grant...' }).click();
  const grant = page.getByRole('dialog', { name: /^Grant/ });
  await grant.getByRole('textbox').fill('It is on its way to you.');
  await proveOver(page, fresh, '**/api/admin/privacy-requests/1', { submit: grant.getByRole('button', { name: 'Grant', exact: true }), typed: grant.getByRole('textbox') });
  await expectToast(page, 'Request granted');

  const act = async (name: string) => {
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('button', { name }).click();
  };
  await page.goto(`${fresh.url}/admin/students/1`);
  await act('Merge Duplicate...');
  const merge = page.getByRole('dialog', { name: /^Merge a Duplicate/ });
  await merge.getByRole('searchbox').fill('double');
  await merge.getByRole('button', { name: 'Choose' }).click();
  await merge.getByLabel(/Type MERGE/).fill('MERGE');
  await proveOver(page, fresh, '**/api/admin/students/1/merge', { submit: merge.getByRole('button', { name: 'Merge', exact: true }), typed: merge.getByLabel(/Type MERGE/) });
  await expectToast(page, 'Accounts merged');

  await act('Close Account...');
  const close = page.getByRole('dialog', { name: /^Close the account/ });
  await close.getByLabel('Reason').fill('Left the country.');
  await proveOver(page, fresh, '**/api/admin/students/1/close', { submit: close.getByRole('button', { name: 'Close Account' }), typed: close.getByLabel('Reason') });
  await expectToast(page, 'The account is closed');
  await forget(page, '**/api/admin/students/1/reinstate');
  await act('Reinstate');
  await page.getByRole('dialog', { name: /^Reinstate/ }).getByRole('button', { name: 'Reinstate', exact: true }).click();
  await answer(page, fresh.staff.password);
  await expectToast(page, 'The account is open again');

  await page.goto(`${fresh.url}/admin/settings`);
  await page.getByRole('region', { name: 'Announcement', exact: true }).getByLabel('Text', { exact: true }).fill('Open house on Saturday');
  await page.getByRole('button', { name: 'Publish...' }).click();
  const publish = page.getByRole('dialog', { name: 'Publish' });
  await publish.getByLabel('Note (optional)').fill('The open house');
  await proveOver(page, fresh, '**/api/admin/settings/publish', { submit: publish.getByRole('button', { name: 'Publish', exact: true }), typed: publish.getByLabel('Note (optional)') });
  await expectToast(page, 'Published');

  // The file is sent after the proof, not before.
  await page.goto(`${fresh.url}/admin/students`);
  await page.getByRole('button', { name: 'Import' }).click();
  const imports = page.getByRole('dialog', { name: 'Import Students' });
  await forget(page, '**/api/user/proof');
  await imports.getByLabel('CSV file').setInputFiles({ name: 'class.csv', mimeType: 'text/csv', buffer: Buffer.from('email,fullName\nnew@mail.example,Noor New\n') });
  await answer(page, fresh.staff.password);
  await imports.getByRole('button', { name: 'Import', exact: true }).click();
  await expectToast(page, 'Students imported', '1 added, 0 updated, 0 unchanged.');
});

test('an email to many, and one to a class, is sent as written after the proof', async ({ page, fresh }) => {
  const staff = await newStaff(fresh);
  for (const name of ['first', 'second']) {
    // oxlint-disable-next-line no-await-in-loop
    await requestCourses(await newStudent(fresh, name), ['ENG4U']);
  }
  await approveAll(staff);
  await asStaff(page, fresh);
  const write = async (dialog: Locator) => {
    await dialog.getByLabel('Subject').fill('Room 204');
    await dialog.getByLabel('Message').fill('On Monday we meet in room 204.');
    await dialog.getByRole('button', { name: 'Preview' }).click();
  };
  await page.goto(`${fresh.url}/admin/students`);
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
  await page.getByRole('button', { name: 'Write an Email…' }).click();
  const many = page.getByRole('dialog', { name: 'Write to 2 students' });
  await write(many);
  await proveOver(page, fresh, '**/api/admin/students/emails', { submit: many.getByRole('button', { name: 'Send to 2 students' }) });
  await expect(page.getByRole('region', { name: 'Result' })).toContainText('2 emails queued.');

  const courses = (await (await staff.get('/api/admin/courses')).json()) as { id: number; code: string }[];
  const id = courses.find(({ code }) => code === 'ENG4U')?.id;
  await page.goto(`${fresh.url}/admin/courses/${id}`);
  await page.getByRole('button', { name: 'Write an Email' }).click();
  const toClass = page.getByRole('dialog', { name: 'Write to the Class of ENG4U' });
  await write(toClass);
  await proveOver(page, fresh, `**/api/admin/courses/${id}/emails`, { submit: toClass.getByRole('button', { name: 'Send to 2 students' }) });
  await expectToast(page, '2 emails queued', 'To the class of ENG4U.');
});

test('a list is saved after the proof', async ({ page, fresh }) => {
  await asStaff(page, fresh);
  await page.goto(`${fresh.url}/admin/students`);
  const download = page.waitForEvent('download');
  await forget(page, '**/api/user/proof');
  await page.getByRole('link', { name: 'CSV' }).click();
  await answer(page, fresh.staff.password);
  expect((await download).suggestedFilename()).toMatch(/^students-.*\.csv$/);
});

const careful = test.extend<{ careful: School }>({
  /** One document per hour can be opened without a proof. */
  careful: ({}, use) => openSchool(use, { SCHOOLHOUSE_LIMITS_DOCUMENTS_OPENED_PER_HOUR: '1' }),
});

careful('after many documents in an hour it is asked who is there', async ({ page, careful: school }) => {
  const { calls } = await newStudent(school, 'papers');
  const sent = await calls.post('/api/students/documents', { multipart: { documentType: 'government_id', document: pdf('passport.pdf') } });
  expect(sent.ok(), await sent.text()).toBe(true);
  await asStaff(page, school);
  await page.goto(`${school.url}/admin/documents`);
  const view = page.getByRole('link', { name: /^View Document/ });
  // Headless Chromium has no PDF viewer: check that the tab gets a PDF.
  const opened = () => page.context().waitForEvent('response', (answer) => /\/api\/documents\/\d+$/.test(answer.url()));
  const first = opened();
  await view.click();
  expect((await first).status()).toBe(200);
  const second = opened();
  await view.click();
  await answer(page, school.staff.password);
  expect((await second).status()).toBe(200);
});
