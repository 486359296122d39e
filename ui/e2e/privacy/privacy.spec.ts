// Privacy: a student's download and requests; the office's answers, deletions and breach book.
import { endSession, enter, logInAgain, newStaff, newStudent, signIn } from '../actors.ts';
import { expectSoundInEveryLook } from '../looks.ts';
import { expect, expectToast, test } from '../school.ts';

test('a student downloads their data, sends a request and withdraws it', async ({ page, school }) => {
  const student = await newStudent(school, 'privacy-own');
  await signIn(page, student);
  await page.goto(`${school.url}/student/account`);
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download Your Data' }).click();
  expect((await download).suggestedFilename()).toMatch(/^my-data-.*\.zip$/);
  await page.getByRole('button', { name: 'Ask the School...' }).click();
  const dialog = page.getByRole('dialog', { name: 'Ask the School' });
  // A correction needs a description.
  await dialog.getByRole('button', { name: 'Send Request' }).click();
  await expect(dialog.getByText('Please say in at least 10 characters what is wrong').first()).toBeVisible();
  await dialog.getByLabel('What would you like?').selectOption('deletion');
  await expect(dialog.getByText(/you can no longer log in/)).toBeVisible();
  await expectSoundInEveryLook(page);
  await dialog.getByRole('button', { name: 'Send Request' }).click();
  await expect(dialog).toHaveCount(0);
  const asked = page.getByRole('listitem').filter({ hasText: 'Close and delete' });
  await expect(asked).toContainText('answer by');
  await page.getByText('What you agreed to').click();
  await expect(page.getByText(/Privacy Policy, version [0-9a-f]{8}/)).toBeVisible();
  await asked.getByRole('button', { name: 'Withdraw: Close and delete' }).click();
  await expect(asked).toContainText('withdrawn');
  // A download cannot show a message: the page says that the session has ended.
  await endSession(page);
  await page.getByRole('link', { name: 'Download Your Data' }).click();
  await logInAgain(page, student.password);
  const again = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download Your Data' }).click();
  await again;
});

test('the office refuses and grants, and a deletion waits for a typed number', async ({ page, school }) => {
  const student = await newStudent(school, 'privacy-desk', { fullName: 'Noor Privacy' });
  const ask = await student.calls.post('/api/students/privacy-requests', { data: { kind: 'deletion', details: 'I moved away' } });
  expect(ask.status()).toBe(201);
  await enter(page, school, '/admin/privacy');
  const row = page.getByRole('row', { name: /Noor Privacy/ });
  await expect(row).toContainText('30 days left');
  const decide = async (verb: string) => {
    await row.getByRole('button', { name: 'Actions for the request of Noor Privacy' }).click();
    await page.getByRole('button', { name: verb }).click();
  };
  await decide('Refuse...');
  const refusal = page.getByRole('dialog', { name: 'Refuse: Close and delete' });
  await refusal.getByRole('button', { name: 'Refuse', exact: true }).click();
  await expect(refusal.getByText('Please say in at least 10 characters why: the person reads it').first()).toBeVisible();
  await refusal.getByRole('button', { name: 'Cancel' }).click();
  await decide('Grant...');
  const grant = page.getByRole('dialog', { name: 'Grant: Close and delete' });
  await expect(grant).toContainText('The account is closed at once');
  await grant.getByRole('button', { name: 'Grant', exact: true }).click();
  await expect(grant).toHaveCount(0);
  await expect(row).toContainText('granted');
  await page.getByRole('tab', { name: /^Retention/ }).click();
  await expect(page).toHaveURL(/tab=retention/);
  const profiles = page.getByRole('region', { name: /^Profiles and notes/ });
  await expect(profiles).toContainText('Noor Privacy');
  await profiles.getByRole('button', { name: /^Delete/ }).click();
  const confirm = page.getByRole('dialog', { name: /^Delete/ });
  await confirm.getByLabel('How many?').fill('99');
  await confirm.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(confirm.getByText(/^Type \d+ to continue$/).first()).toBeVisible();
  await expectSoundInEveryLook(page);
  await confirm.getByRole('button', { name: 'Cancel' }).click();
  // Held records stay on the list, with their reason.
  await profiles.getByRole('button', { name: 'Hold Noor Privacy' }).click();
  await page.getByRole('dialog').getByLabel('Reason').fill('A dispute about a charge');
  await page.getByRole('dialog').getByRole('button', { name: 'Hold', exact: true }).click();
  await expect(page.getByText('Held: A dispute about a charge')).toBeVisible();
  await page.getByRole('button', { name: 'Release Noor Privacy' }).click();
  await expect(page.getByText('Held: A dispute about a charge')).toHaveCount(0);
});

test('a breach is recorded and assessed, and the book says who still has to be notified', async ({ page, school }) => {
  await enter(page, school, '/admin/privacy?tab=breaches');
  await page.getByRole('button', { name: 'Record a Breach' }).click();
  const dialog = page.getByRole('dialog', { name: 'Record a Breach' });
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByText('Please say in at least 10 characters what happened').first()).toBeVisible();
  await dialog.getByLabel('What happened').fill('A class list went to a wrong address');
  await dialog.getByLabel('Who is affected').fill('The students of one class');
  await dialog.getByLabel('Real risk of significant harm').selectOption('significant');
  await dialog.getByLabel('Reason for this assessment').fill('Addresses of minors are among them');
  await expectSoundInEveryLook(page);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('row', { name: /A class list went/ })).toContainText('not yet');
  for (const tab of ['Consents', 'Access Log']) {
    // One screen after the other.
    // oxlint-disable-next-line no-await-in-loop
    await page.getByRole('tab', { name: tab }).click();
    // oxlint-disable-next-line no-await-in-loop
    await expectSoundInEveryLook(page);
  }
});

test('a breach changed by two people keeps both changes', async ({ page, school }) => {
  const staff = await newStaff(school);
  const entry = { what: 'A laptop was left in a train', discoveredOn: '2026-11-02', affected: 'One family', affectedCount: 1, risk: 'low', riskReason: 'Its disk is encrypted.' };
  const recorded = await staff.post('/api/admin/breaches', { data: entry });
  expect(recorded.ok(), await recorded.text()).toBe(true);
  const made = (await recorded.json()) as { id: number; version: number };
  await enter(page, school, '/admin/privacy?tab=breaches');
  await page.getByRole('button', { name: 'Actions for: A laptop was left' }).click();
  await page.getByRole('button', { name: 'Change...' }).click();
  const dialog = page.getByRole('dialog', { name: 'Update a Breach' });
  await dialog.getByLabel('How many people').fill('2');
  await dialog.getByLabel('Real risk of significant harm').selectOption('not_assessed');
  const theirs = { ...entry, version: made.version, affectedCount: 3, affected: 'Two families', measures: 'The disk was wiped.' };
  expect((await staff.patch(`/api/admin/breaches/${made.id}`, { data: theirs })).ok()).toBe(true);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByLabel('How many people')).toHaveAccessibleDescription('This has been changed to “3” in the meantime');
  await expect(dialog.getByLabel('What was done about it')).toHaveValue('The disk was wiped.');
  // Untouched fields are updated and named.
  await expect(dialog.getByRole('listitem').filter({ hasText: 'Who is affected: “Two families”' })).toBeVisible();
  await expect(dialog.getByRole('listitem').filter({ hasText: 'What was done about it (optional): “The disk was wiped.”' })).toBeVisible();
  await expect(dialog.getByRole('listitem').filter({ hasText: 'Real risk' })).toHaveCount(0);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expectToast(page, 'Breach updated');
  const book = (await (await staff.get('/api/admin/breaches')).json()) as { id: number }[];
  expect(book.find(({ id }) => id === made.id)).toMatchObject({
    affectedCount: 2, affected: 'Two families', risk: 'not_assessed', measures: 'The disk was wiped.',
  });
});

test('a request is recorded by student number', async ({ page, fresh }) => {
  await newStudent(fresh, 'numbered', { fullName: 'Noor Numbered' });
  const staff = await newStaff(fresh);
  const [row] = (await (await staff.get('/api/admin/students?q=numbered@mail.example')).json()) as { number: string }[];
  await enter(page, fresh, '/admin/privacy');
  await page.getByRole('button', { name: 'Record a Request' }).click();
  const dialog = page.getByRole('dialog', { name: 'Record a Request' });
  const student = dialog.getByLabel('Student number');
  await student.fill('Noor');
  await dialog.getByRole('button', { name: 'Record Request' }).click();
  await expect(student).toHaveAccessibleDescription(/Type the student number, such as 2026-0042, or paste the address/);
  await student.fill('2001-9999');
  await dialog.getByRole('button', { name: 'Record Request' }).click();
  await expect(student).toHaveAccessibleDescription(/No student has the number 2001-9999/);
  await expectSoundInEveryLook(page);
  await student.fill(row?.number ?? '');
  await dialog.getByRole('button', { name: 'Record Request' }).click();
  await expectToast(page, 'Request recorded');
  await expect(page.getByRole('row', { name: /Noor Numbered/ })).toContainText('30 days left');
});

test('deciding requests by keyboard moves the focus to the next open one, and to the list after the last', async ({ page, fresh }) => {
  const names = ['Asker One', 'Asker Two'];
  for (const [place, fullName] of names.entries()) {
    const { calls } = await newStudent(fresh, `asker-${place}`, { fullName });
    const ask = await calls.post('/api/students/privacy-requests', { data: { kind: 'access', details: 'What do you hold?' } });
    expect(ask.status()).toBe(201);
  }
  await enter(page, fresh, '/admin/privacy');
  const decide = async (name: string, verb: 'Grant' | 'Refuse') => {
    await page.getByRole('button', { name: `Actions for the request of ${name}` }).press('Enter');
    await page.getByRole('button', { name: `${verb}...` }).press('Enter');
    const dialog = page.getByRole('dialog', { name: `${verb}: See what is held` });
    await dialog.getByRole('textbox').fill('It is on its way to you.');
    await dialog.getByRole('button', { name: verb, exact: true }).press('Enter');
    await expect(dialog).toHaveCount(0);
  };
  await decide('Asker Two', 'Grant');
  await expect(page.getByRole('row', { name: /Asker Two/ })).toContainText('granted');
  await expect(page.getByRole('row', { name: /Asker One/ })).toBeFocused();
  await decide('Asker One', 'Refuse');
  await expect(page.getByRole('row', { name: /Asker One/ })).toContainText('refused');
  await expect(page.getByRole('region', { name: 'Requests', exact: true }).getByRole('heading')).toBeFocused();
});
