// Passkeys with Chromium's virtual authenticator: adding, login, identity confirmation and removal.
import { createServer } from 'node:net';
import { once } from 'node:events';
import type { Page } from '@playwright/test';
import { expectSoundInEveryLook } from '../looks.ts';
import { subjectsTo } from '../mail.ts';
import { expect, expectToast, openSchool, type School, test as base } from '../school.ts';
import { card } from '../second-factor.ts';

/** Passkeys need a domain name, and the server its public port. */
const test = base.extend<{ named: School }>({
  named: async ({}, use) => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    server.close();
    await once(server, 'close');
    const url = `http://localhost:${port}`;
    const settings = { SCHOOLHOUSE_SERVER_LISTEN: `127.0.0.1:${port}`, SCHOOLHOUSE_SERVER_PUBLIC_URL: url };
    await openSchool((school) => use({ ...school, url }), settings);
  },
});

/** A virtual authenticator that consents or not. */
async function phone(page: Page) {
  const devices = await page.context().newCDPSession(page);
  await devices.send('WebAuthn.enable');
  const options = { protocol: 'ctap2', transport: 'internal', hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true } as const;
  const { authenticatorId } = await devices.send('WebAuthn.addVirtualAuthenticator', { options });
  return {
    count: async () => (await devices.send('WebAuthn.getCredentials', { authenticatorId })).credentials.length,
    remove: () => devices.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId }),
  };
}

async function logIn(page: Page, school: School) {
  await page.getByLabel('Username').fill(school.staff.username);
  await page.getByLabel('Password', { exact: true }).fill(school.staff.password);
  await page.getByRole('button', { name: 'Login', exact: true }).click();
}

test('a passkey is added, logs in, confirms the identity, and is removed', async ({ page, named }) => {
  const device = await phone(page);
  await page.goto(`${named.url}/admin/account`);
  await logIn(page, named);
  await card(page).getByRole('button', { name: 'Add a Passkey...' }).click();
  const adding = page.getByRole('dialog', { name: 'Add a Passkey' });
  await adding.getByRole('button', { name: 'Continue' }).click();
  await expect(adding.getByLabel('Name')).toHaveAccessibleDescription(/Name is required/);
  await expectSoundInEveryLook(page);
  await adding.getByLabel('Name').fill('Phone of the principal');
  await adding.getByRole('button', { name: 'Continue' }).click();
  await expect(card(page).getByRole('heading', { name: 'Save These Recovery Codes' })).toBeFocused();
  expect(await device.count()).toBe(1);
  await card(page).getByRole('button', { name: 'I Have Saved Them' }).click();
  const row = card(page).getByRole('listitem').filter({ hasText: 'Phone of the principal' });
  await expect(row).toContainText('Not used yet');
  await expectSoundInEveryLook(page);
  await expect.poll(() => subjectsTo(named, 'principal@northgate.example')).toContain('Your second factor is set up');

  // This device already has a passkey for the account.
  await card(page).getByRole('button', { name: 'Add a Passkey...' }).click();
  await adding.getByLabel('Name').fill('Again');
  await adding.getByRole('button', { name: 'Continue' }).click();
  await expect(adding.getByText('This device already has a passkey for this account.')).toBeVisible();
  await adding.getByRole('button', { name: 'Cancel' }).click();
  await row.getByRole('button', { name: 'Rename' }).click();
  const renaming = page.getByRole('dialog', { name: 'Rename the Passkey' });
  await renaming.getByLabel('Name').fill('My phone');
  await renaming.getByRole('button', { name: 'Save' }).click();
  const renamed = card(page).getByRole('listitem').filter({ hasText: 'My phone' });
  await expect(renamed).toBeVisible();

  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(page).toHaveURL(/\/admin\/login$/);
  await page.goto(`${named.url}/admin/account`);
  await logIn(page, named);
  const use = page.getByRole('button', { name: 'Use Your Passkey' });
  await expect(use).toBeFocused();
  await expectSoundInEveryLook(page);
  await use.press('Enter');
  await expectToast(page, 'Login successful', 'Welcome to the admin portal');
  await expect(renamed).toContainText('Last used');

  // Sensitive changes ask for the identity again.
  const refused = { status: 403, json: { message: 'Please confirm that it is you, then try again.', reason: 'step_up' } };
  await page.route('**/api/user/passkeys/begin', (route) => route.fulfill(refused), { times: 1 });
  await card(page).getByRole('button', { name: 'Add a Passkey...' }).click();
  await adding.getByLabel('Name').fill('Again');
  await adding.getByRole('button', { name: 'Continue' }).click();
  const question = page.getByRole('dialog', { name: 'Confirm It’s You' });
  await expectSoundInEveryLook(page);
  await question.getByRole('button', { name: 'Use Your Passkey' }).click();
  await expect(adding.getByText('This device already has a passkey for this account.')).toBeVisible();
  await adding.getByRole('button', { name: 'Cancel' }).click();

  await renamed.getByRole('button', { name: 'Remove' }).click();
  const removing = page.getByRole('dialog', { name: 'Remove My phone?' });
  await expect(removing).toContainText('you log in with your password alone');
  await removing.getByRole('button', { name: 'Remove', exact: true }).click();
  await expectToast(page, 'Passkey removed');
  await expect(card(page)).toContainText('Protects your account even if your password is stolen');
});

test('without the device a recovery code logs in, and declining says what to do', async ({ page, named }) => {
  const device = await phone(page);
  await page.goto(`${named.url}/admin/account`);
  await logIn(page, named);
  await card(page).getByRole('button', { name: 'Add a Passkey...' }).click();
  await page.getByLabel('Name').fill('Lost phone');
  await page.getByRole('button', { name: 'Continue' }).click();
  const list = card(page).getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
  await expect(list).toHaveCount(10);
  const codes = await list.allInnerTexts();
  await card(page).getByRole('button', { name: 'I Have Saved Them' }).click();
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(page).toHaveURL(/\/admin\/login$/);
  await device.remove();
  await page.goto(`${named.url}/admin/account`);
  await logIn(page, named);
  // As when the user closes the browser's dialog.
  await page.evaluate(() => {
    navigator.credentials.get = () => Promise.reject(new DOMException('', 'NotAllowedError'));
  });
  await page.getByRole('button', { name: 'Use Your Passkey' }).click();
  await expect(page.getByText('No passkey was used. Please try again when you are ready.')).toBeVisible();
  await expectSoundInEveryLook(page);
  // Without an app no code is requested.
  await expect(page.getByRole('button', { name: 'Use a recovery code instead' })).toHaveCount(0);
  await page.getByLabel('Recovery Code').fill(codes[0] ?? '');
  await page.getByRole('button', { name: 'Login', exact: true }).click();
  await expect(card(page)).toContainText('9 recovery codes are left');
});
