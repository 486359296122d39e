// The office's mail list: delivery status and retries.
import type { Page } from '@playwright/test';
import { endSession, enter, logInAgain } from '../actors.ts';
import { expectSound, expectSoundInEveryLook } from '../looks.ts';
import { hold } from '../network.ts';
import { expect, expectToast, type School } from '../school.ts';
import { test } from './mail-server.ts';

const mailbox = '/admin/mail';
const call = '**/api/admin/mail?*';

async function register(page: Page, school: School, email: string) {
  const password = 'correct horse battery';
  const data = { email, password, confirmPassword: password };
  const answer = await page.request.post(`${school.url}/api/students/register`, { data, headers: { Origin: school.url } });
  expect(answer.ok(), await answer.text()).toBe(true);
}

/** Waits until this many emails have a status, with the mail server's reason. */
async function settled(page: Page, school: School, status: string, count: number) {
  const refused = async () => {
    const rows = await (await page.request.get(`${school.url}/api/admin/mail?status=${status}`)).json();
    return rows.filter(({ lastError }: { lastError: string | null }) => lastError).length;
  };
  await expect.poll(refused).toBe(count);
}

test('a refused email is shown on the dashboard, explained, and sent again once the mail server is repaired', async ({ page, mail, posting }) => {
  await enter(page, posting, '/admin/dashboard');
  await expect(page.getByText('Total active course enrollments')).toBeVisible();
  await expect(page.getByText('Nothing to do.')).toBeVisible();
  mail.answer = '550 5.7.1 <zoe@mail.example> we do not relay';
  await register(page, posting, 'zoe@mail.example');
  await settled(page, posting, 'dead', 1);

  await page.goto(`${posting.url}/admin/dashboard`);
  await page.getByRole('link', { name: '1 undelivered email' }).click();
  await expect(page).toHaveURL(`${posting.url}${mailbox}?status=dead`);
  await expect(page.getByRole('heading', { level: 1, name: 'Mail' })).toBeFocused();
  const row = page.locator('tr[data-row]').filter({ hasText: 'zoe@mail.example' });
  await expect(row).toContainText('Verify your email address');
  await expect(row.locator('.badge:visible')).toHaveText('Not delivered');
  await row.getByRole('button', { name: /^More about/ }).click();
  await expect(page.getByText('Tried once. Given up.')).toBeVisible();
  await expect(row).toContainText('The mail server refused the recipient: the server answered 550 5.7.1 (address) we do not relay');
  await expect(page.getByRole('button', { name: 'Retry All' }), 'one is retried by its own button').toHaveCount(0);

  // Still refused: the email returns, and can be retried.
  const retry = row.getByRole('button', { name: 'Retry' });
  await retry.click();
  await expectToast(page, 'Sending again', 'The list will soon show whether the mail server accepted it.');
  await expect(row.locator('.badge:visible').last()).toHaveText('Sending...');
  await expect(retry).toBeVisible();
  await expect(row.locator('.badge:visible')).toHaveText('Not delivered');

  mail.answer = '250 2.1.5 fine';
  await retry.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Emails' })).toBeFocused();
  await expect(page.getByText('No failed emails')).toBeVisible();
  await expect.poll(() => mail.taken).toEqual(['zoe@mail.example']);
  await page.getByLabel('Status').selectOption('Sent');
  await expect(row.locator('.badge:visible')).toHaveText('Sent');
  await expect(page.getByRole('button', { name: 'Retry' })).toHaveCount(0);
  await page.getByRole('link', { name: 'Back to Dashboard' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Admin Portal' })).toBeVisible();
  await expect(page.getByText('Nothing to do.')).toBeVisible();
});

test('a waiting email is sent at once, and all failed ones together', async ({ page, mail, posting }) => {
  await enter(page, posting, mailbox);
  await expect(page.getByText('No emails yet')).toBeVisible();
  mail.answer = '451 4.7.1 try again later';
  await register(page, posting, 'waiting@mail.example');
  await settled(page, posting, 'queued', 1);
  mail.answer = '550 5.1.1 refused';
  for (const name of ['one', 'two', 'three']) await register(page, posting, `${name}@mail.example`);
  await settled(page, posting, 'dead', 3);
  await page.reload();
  await expect(page.getByText('4 emails', { exact: true })).toBeVisible();
  const waiting = page.locator('tr[data-row]').filter({ hasText: 'waiting@mail.example' });
  await expect(waiting.locator('.badge:visible')).toHaveText('Waiting');
  await waiting.getByRole('button', { name: /^More about/ }).click();
  await expect(page.getByText(/Tried once\. Next try \w+ \d+, \d{4}, \d+:\d\d [AP]M\./)).toBeVisible();

  mail.answer = '250 2.1.5 fine';
  await waiting.getByRole('button', { name: 'Retry' }).click();
  await expect(waiting.locator('.badge:visible').first()).toHaveText('Sent');
  await page.getByPlaceholder('Search by address or subject...').fill('TWO verify');
  await expect(page.getByText('1 email', { exact: true })).toBeVisible();
  await page.getByPlaceholder('Search by address or subject...').fill('');
  await page.getByLabel('Status').selectOption('Not delivered');
  await expect(page).toHaveURL(/\?status=dead$/);
  const again = await hold(page, '**/api/admin/mail/retry');
  await page.getByRole('button', { name: 'Retry All' }).dblclick();
  await expect(page.getByRole('button', { name: 'Retrying...' })).toHaveAttribute('aria-disabled', 'true');
  again.release();
  await expectToast(page, 'Sending 3 emails again');
  expect(again.count()).toBe(1);
  await expect(page.getByRole('heading', { name: 'Emails' })).toBeFocused();
  await expect(page.getByText('No failed emails')).toBeVisible();
  await expect.poll(() => mail.taken.toSorted()).toEqual(['one', 'three', 'two', 'waiting'].map((name) => `${name}@mail.example`));
});

const email = {
  id: 1, recipient: 'amara.okonkwo@mail.example', subject: 'Your enrollment was approved', status: 'sent', attempts: 1,
  nextAttemptAt: null, lastError: null as string | null, createdAt: '2026-11-21T15:00:00Z', sentAt: '2026-11-21T15:00:04Z' as string | null,
};
const waits = {
  ...email, id: 2, status: 'queued', attempts: 7, sentAt: null, nextAttemptAt: '2026-11-21T19:00:00Z', subject: 'طلب التسجيل 🎓',
  lastError: 'The mail server cannot be used. 192.0.2.7:587: the certificate belongs to another server; put the name that it is made for into mail.smtp_host (invalid peer certificate: certificate not valid for name "mail.school.example"; certificate is only valid for DnsName("server17.averyveryverylonghostingcompany.example"))',
};
const dead = {
  ...email, id: 3, status: 'dead', sentAt: null, recipient: `${'averylongname'.repeat(4)}@averyveryverylongdomainname.example`,
  subject: `General Questions: Zoë ${'Wolfeschlegelsteinhausenbergerdorff-'.repeat(3)}Nguyễn`, lastError: 'The mail server refused the recipient: the server answered 550 5.1.1 (address): Recipient address rejected',
};
const fresh = { ...email, id: 4, status: 'queued', attempts: 0, sentAt: null, nextAttemptAt: '2026-11-21T15:00:00Z' };

test('every state of an email, an empty and a failed list are sound in every look', async ({ page, school }) => {
  const rows = [fresh, dead, waits, email];
  await page.route(call, (route) => route.fulfill({ json: rows, headers: { 'X-Total-Count': '58' } }));
  await enter(page, school, mailbox);
  await expect(page).toHaveTitle('Mail · Northgate Academy');
  await expect(page.locator('.list-card .badge:visible')).toHaveText(['Waiting', 'Not delivered', 'Waiting', 'Sent']);
  await expect(page.getByRole('button', { name: 'Retry' })).toHaveCount(2);
  await expect(page.getByText('Mail is not being delivered')).toBeVisible();
  for (const opener of await page.getByRole('button', { name: /^More about/ }).all()) await opener.click();
  await expect(page.getByText('On its way')).toBeVisible();
  await expectSoundInEveryLook(page);
  await page.goto(`${mailbox}?status=dead`);
  await expect(page.getByRole('button', { name: 'Retry All' })).toBeVisible();
  await page.setViewportSize({ width: 320, height: 800 });
  await expectSound(page);
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.route(call, (route) => route.fulfill({ json: [], headers: { 'X-Total-Count': '0' } }));
  await page.goto(`${mailbox}?status=dead`);
  await expect(page.getByRole('heading', { level: 3, name: 'No failed emails' })).toBeVisible();
  await expectSoundInEveryLook(page);
  await page.route(call, (route) => route.fulfill({ status: 500, body: '<h1>Oops</h1>' }));
  await page.goto(mailbox);
  await expect(page.getByRole('alert')).toContainText('Failed to load the emails. Please try again later.');
  await expectSoundInEveryLook(page);
});

test('a failed retry says why', async ({ page, school }) => {
  await page.route(call, (route) => route.fulfill({ json: [dead], headers: { 'X-Total-Count': '1' } }));
  await enter(page, school, mailbox);
  await expect(page.locator('tr[data-row] .badge:visible')).toHaveText('Not delivered');

  const retry = page.getByRole('row').getByRole('button', { name: 'Retry' });
  const words = 'This email has already been sent.';
  await page.route('**/api/admin/mail/3/retry', (route) => route.fulfill({ status: 409, json: { message: words } }));
  await retry.click();
  await expectToast(page, 'Failed to send again', words);
  await page.route('**/api/admin/mail/3/retry', (route) => route.fulfill({ status: 500, body: '' }));
  await retry.click();
  await expectToast(page, 'Failed to send again', 'Please try again.');
  await expect(retry).toBeEnabled();
});

test('an ended session is resumed by a login, and others are kept out', async ({ page, school }) => {
  await page.goto(`${school.url}${mailbox}?status=dead`);
  await expect(page).toHaveURL(`${school.url}/admin/login?${new URLSearchParams({ next: `${mailbox}?status=dead` })}`);
  await enter(page, school, '/admin/dashboard');
  // The title is shown before anything is loaded.
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  await endSession(page);
  await page.getByRole('navigation', { name: 'Office' }).getByRole('link', { name: 'Mail' }).click();
  await logInAgain(page, school.staff.password);
  await expect(page.getByRole('heading', { level: 2, name: 'Emails' })).toBeVisible();
});
