// Staff accounts: invitations, roles, disabling, passwords and email.
import { asStaff, enter, newStaff, visitor } from '../actors.ts';
import { expectSoundInEveryLook } from '../looks.ts';
import { linkTo, subjectsTo } from '../mail.ts';
import { expect, expectToast, test } from '../school.ts';

const password = 'an even quieter heron';

test('a colleague is invited, logs in, gets another role, and is disabled', async ({ page, browser, fresh }) => {
  await asStaff(page, fresh);
  await page.goto(`${fresh.url}/admin/dashboard`);
  await page.getByRole('navigation', { name: 'Office', exact: true }).getByRole('link', { name: 'Staff' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Staff' })).toBeFocused();
  await page.getByRole('button', { name: 'Invite Colleague' }).click();
  const invite = page.getByRole('dialog', { name: 'Invite a Colleague' });
  await invite.getByRole('button', { name: 'Send Invitation' }).click();
  await expect(invite.getByText('Full name is required').first()).toBeVisible();
  await invite.getByLabel('Full name').fill('Noor Haddad');
  await invite.getByLabel('Email').fill('noor@northgate.example');
  await expect(invite.getByText('Registrar may:')).toBeVisible();
  await invite.getByLabel('Role').selectOption('bursar');
  await expect(invite.getByText('Post charges')).toBeVisible();
  await expectSoundInEveryLook(page);
  await invite.getByLabel('Role').selectOption('registrar');
  await invite.getByRole('button', { name: 'Send Invitation' }).click();
  await expectToast(page, 'Invitation sent', 'noor@northgate.example');
  const invited = page.getByRole('region', { name: 'Invited' });
  await expect(invited).toContainText('Noor Haddad');
  await expectSoundInEveryLook(page);

  // The colleague, in a separate browser.
  const link = await linkTo(fresh, 'noor@northgate.example', '/admin/invitation');
  const context = await browser.newContext();
  const hers = await context.newPage();
  await hers.goto(link);
  await hers.getByLabel('Username').fill('noor');
  await hers.getByLabel('Password', { exact: true }).fill(password);
  await hers.getByLabel('Confirm Password').fill(password);
  await expectSoundInEveryLook(hers);
  await hers.getByRole('button', { name: 'Create My Account' }).click();
  await expect(hers.getByRole('heading', { name: 'Your Account Is Ready' })).toBeFocused();
  await hers.goto(link);
  await expect(hers.getByText('This invitation was accepted already.')).toBeVisible();
  await expectSoundInEveryLook(hers);
  await hers.getByRole('link', { name: 'Go to the Office Login' }).click();
  await hers.getByLabel('Username').fill('noor');
  await hers.getByLabel('Password', { exact: true }).fill(password);
  await hers.getByRole('button', { name: 'Login', exact: true }).click();
  await expect(hers).toHaveURL(/\/admin\/dashboard$/);
  expect((await hers.request.get(`${fresh.url}/api/admin/documents`)).status()).toBe(200);

  // Change the role, then disable the account.
  await page.reload();
  await expect(invited).toHaveCount(0);
  const row = page.getByRole('row', { name: /Noor Haddad/ });
  await expect(row).toContainText('Registrar');
  const act = async (label: string) => {
    await row.getByRole('button', { name: 'Actions for Noor Haddad' }).click();
    await page.getByRole('button', { name: label, exact: true }).click();
  };
  await act('Edit...');
  const edit = page.getByRole('dialog', { name: 'Edit Noor Haddad' });
  await edit.getByLabel('Role').selectOption('bursar');
  await expectSoundInEveryLook(page);
  await edit.getByRole('button', { name: 'Save Changes' }).click();
  await expectToast(page, 'Account saved');
  await expect(row).toContainText('Bursar');
  expect((await hers.request.get(`${fresh.url}/api/admin/documents`)).status()).toBe(403);
  await expect.poll(() => subjectsTo(fresh, 'noor@northgate.example')).toContain('Your role was changed');
  await act('Disable...');
  const asking = page.getByRole('dialog', { name: 'Disable Noor Haddad?' });
  await expectSoundInEveryLook(page);
  await asking.getByRole('button', { name: 'Disable Account' }).click();
  await expectToast(page, 'The account is disabled');
  await expect(row.getByText('disabled').first()).toBeVisible();
  expect((await hers.request.get(`${fresh.url}/api/user`)).status()).toBe(401);
  await row.getByRole('button', { name: 'More about Noor Haddad' }).click();
  await expect(page.getByText('Bursar may:')).toBeVisible();
  await expectSoundInEveryLook(page);
  await act('Enable');
  await expectToast(page, 'The colleague can log in again');
  await context.close();
});

test('a conflicting change says so and keeps its input', async ({ page, fresh }) => {
  await enter(page, fresh, '/admin/staff');
  const calls = await visitor(fresh);
  expect((await calls.post('/api/login', { data: fresh.staff })).ok()).toBe(true);
  const row = page.getByRole('row', { name: /principal/ });
  await row.getByRole('button', { name: 'Actions for principal' }).click();
  await page.getByRole('button', { name: 'Edit...' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit principal' });
  await dialog.getByLabel('Full name').fill('Mei Lin');
  const [own] = (await (await calls.get('/api/admin/staff')).json()) as { id: number; version: number }[];
  const other = { data: { fullName: 'Renamed Elsewhere', version: own?.version } };
  expect((await calls.patch(`/api/admin/staff/${own?.id}`, other)).ok()).toBe(true);
  await dialog.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.getByRole('dialog').getByText(/This account was changed/)).toBeVisible();
  await expect(page.getByRole('dialog').getByLabel('Full name')).toHaveValue('Mei Lin');
  await page.getByRole('dialog').getByRole('button', { name: 'Save Changes' }).click();
  await expectToast(page, 'Account saved');
  await expect(page.getByRole('row', { name: /Mei Lin/ })).toBeVisible();
});

test('withdrawing invitations by keyboard moves the focus to the remaining list', async ({ page, fresh }) => {
  const calls = await newStaff(fresh);
  const invitations = ['Ada', 'Bo'].map((name) => ({ fullName: `${name} Haddad`, email: `${name.toLowerCase()}@northgate.example`, role: 'registrar' }));
  const sent = await Promise.all(invitations.map((data) => calls.post('/api/admin/staff/invitations', { data })));
  expect(sent.map((answer) => answer.ok())).toEqual([true, true]);
  await enter(page, fresh, '/admin/staff');
  const withdraw = async (name: string) => {
    await page.getByRole('button', { name: `Actions for the invitation of ${name}` }).press('Enter');
    await page.getByRole('button', { name: 'Withdraw...' }).press('Enter');
    const asking = page.getByRole('dialog', { name: `Withdraw the invitation of ${name}?` });
    await asking.getByRole('button', { name: 'Withdraw', exact: true }).press('Enter');
    await expect(asking).toHaveCount(0);
    await expectToast(page, 'Invitation withdrawn');
  };
  await withdraw('Ada Haddad');
  await expect(page.getByRole('heading', { name: 'Invited' })).toBeFocused();
  await withdraw('Bo Haddad');
  await expect(page.getByRole('region', { name: 'Invited' })).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'Accounts' })).toBeFocused();
});

test('a forgotten office password is reset by email', async ({ page, fresh }) => {
  await page.goto(`${fresh.url}/admin/login`);
  await page.getByRole('link', { name: 'Forgot password?' }).click();
  await page.getByRole('button', { name: 'Send the Link' }).click();
  await expect(page.getByText('Username is required').first()).toBeVisible();
  await page.getByLabel('Username').fill(fresh.staff.username);
  await page.getByRole('button', { name: 'Send the Link' }).click();
  await expect(page.getByRole('heading', { name: 'Check Your Inbox' })).toBeFocused();
  await expectSoundInEveryLook(page);
  await page.goto(await linkTo(fresh, 'principal@northgate.example', '/admin/reset-password'));
  await page.getByLabel('New Password', { exact: true }).fill(password);
  await page.getByLabel('Confirm New Password').fill(password);
  await page.getByRole('button', { name: 'Change My Password' }).click();
  await page.getByRole('link', { name: 'Proceed to Login' }).click();
  await page.getByLabel('Username').fill(fresh.staff.username);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Login', exact: true }).click();
  await expect(page).toHaveURL(/\/admin\/dashboard$/);
});

test('one’s own email changes once the new mailbox confirms it', async ({ page, fresh }) => {
  await enter(page, fresh, '/admin/account');
  const card = page.getByRole('region', { name: 'Email', exact: true });
  await expect(card).toContainText('principal@northgate.example');
  await card.getByLabel('New Address').fill('head@northgate.example');
  await card.getByLabel('Your Password', { exact: true }).fill('not it');
  await card.getByRole('button', { name: 'Change Address' }).click();
  await expect(card.getByText('This is not your current password').first()).toBeVisible();
  await card.getByLabel('Your Password', { exact: true }).fill(fresh.staff.password);
  await card.getByRole('button', { name: 'Change Address' }).click();
  await expect(card.getByText('Please open the link that we sent')).toBeVisible();
  await expectSoundInEveryLook(page);
  await page.goto(await linkTo(fresh, 'head@northgate.example', '/admin/confirm-email'));
  await page.getByRole('button', { name: 'Confirm My New Address' }).click();
  await expect(page.getByRole('heading', { name: 'Your Address Was Changed' })).toBeFocused();
  await page.getByRole('link', { name: 'Go to Your Account' }).click();
  await expect(page.getByRole('region', { name: 'Email', exact: true })).toContainText('head@northgate.example');
});
