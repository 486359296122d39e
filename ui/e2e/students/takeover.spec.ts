// Two account takeover attacks, from the first click to the last. The owner's emails are read from the spool.
import type { Browser, Page } from '@playwright/test';
import { logInStudent, signedIn, visitor } from '../actors.ts';
import { linkTo } from '../mail.ts';
import { expect, expectToast, type School, test } from '../school.ts';
import { button, field, fillLogin, fillRegistration, heading, newEmail, openRegistration, password, registerAccount } from './account.ts';

const chosen = 'an even quieter heron';

async function isRefused(page: Page, email: string, entered: string) {
  await page.goto('/student/auth');
  await fillLogin(page, email, entered);
  await button(page, 'Login').click();
  await expectToast(page, 'Login failed', 'Invalid email or password');
}

/** Registers in a separate browser. */
async function register(browser: Browser, school: School, email: string, entered: string) {
  const context = await browser.newContext({ baseURL: school.url });
  const page = await context.newPage();
  await openRegistration(page);
  await fillRegistration(page, email, entered);
  await button(page, 'Register').click();
  await expect(heading(page, 'Check Your Inbox')).toBeVisible();
  await context.close();
}

for (const [order, first, second] of [
  ['before', 'a password of the thief', password],
  ['behind', password, 'a password of the thief'],
] as const) {
  test(`a stranger who registers ${order} the owner gets nothing`, async ({ page, school, browser }) => {
    const email = newEmail('victim');
    await register(browser, school, email, first);
    const old = await linkTo(school, email, '/student/verify');
    await register(browser, school, email, second);
    const link = await linkTo(school, email, '/student/choose-password');

    await page.goto(old);
    await expect(heading(page, 'Verification failed')).toBeVisible();
    await isRefused(page, email, first);
    await isRefused(page, email, second);

    await page.goto(link);
    await expect(page).toHaveTitle('Choose Your Password · Northgate Academy');
    await field(page, 'Password').fill(chosen);
    await field(page, 'Confirm Password').fill(chosen);
    await button(page, 'Save My Password').click();
    await expect(page.getByText('Your email has been verified successfully! You can now log in.')).toBeVisible();
    await fillLogin(page, email, chosen);
    await button(page, 'Login').click();
    await expect(page).toHaveURL(/\/student\/dashboard$/);

    // The link works once; an existing account gets no new one.
    await page.goto(link);
    await field(page, 'Password').fill('yet another password');
    await field(page, 'Confirm Password').fill('yet another password');
    await button(page, 'Save My Password').click();
    await expect(heading(page, 'This Link No Longer Works')).toBeFocused();
  });
}

test('"This was not me" removes an account that a mail scanner verified', async ({ page, school }) => {
  const email = await registerAccount(page, school);
  const scanner = await visitor(school);
  const token = (await linkTo(school, email, '/student/verify')).split('/').at(-1);
  await scanner.get(`/api/students/verify/${token}`);
  const thief = await visitor(school);
  expect((await thief.post('/api/students/login', { data: { email, password } })).status()).toBe(200);

  const link = await linkTo(school, email, '/student/not-me');
  await scanner.get(link);
  await page.goto(link);
  await expect(page).toHaveTitle('This Was Not Me · Northgate Academy');
  expect((await thief.get('/api/students/me')).status(), 'opening the page does nothing').toBe(200);
  await button(page, 'Remove the Account').click();
  await expect(heading(page, 'Thank You for Telling Us')).toBeFocused();
  await expect(page.getByText('The account was removed, and your email address with it.')).toBeVisible();
  expect((await thief.get('/api/students/me')).status()).toBe(401);
  await isRefused(page, email, password);
  await page.goto(link);
  await button(page, 'Remove the Account').click();
  await expect(heading(page, 'This Link No Longer Works')).toBeFocused();
});

async function moveTo(page: Page, email: string, entered: string) {
  await page.goto('/student/dashboard?tab=profile');
  await button(page, 'Edit Profile').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Email').fill(email);
  await dialog.getByLabel('Current password').fill(entered);
  await dialog.getByRole('button', { name: 'Save Changes' }).click();
}

test('an account moves with its password only, and its old mailbox takes it back', async ({ page, school, browser }) => {
  const owner = await signedIn(page, school, 'victim');
  const thieving = await browser.newContext({ baseURL: school.url });
  const thief = await thieving.newPage();
  await thieving.addCookies(await page.context().cookies());

  // With a copied cookie alone.
  const mailbox = newEmail('thief');
  await moveTo(thief, mailbox, 'a guess at the password');
  await expect(thief.getByRole('alert').getByRole('link', { name: 'This is not your current password' })).toBeVisible();

  // With the password.
  await thief.getByRole('dialog').getByLabel('Current password').fill(owner.password);
  await thief.getByRole('dialog').getByRole('button', { name: 'Save Changes' }).click();
  await expectToast(thief, 'Profile Updated');
  await thief.goto(await linkTo(school, mailbox, '/student/verify'));
  await expect(heading(thief, 'Email Verified')).toBeVisible();
  await expect.poll(async () => (await owner.calls.get('/api/students/me')).status()).toBe(401);

  await page.goto(await linkTo(school, owner.email, '/student/undo-email-change'));
  await expect(page).toHaveTitle('Undo the Change of Email · Northgate Academy');
  await button(page, 'Undo the Change').click();
  await expect(heading(page, 'Your Old Address Is Back')).toBeFocused();
  await thief.goto('/student/dashboard');
  await expect(thief).toHaveURL(/\/student\/auth$/);
  await isRefused(thief, mailbox, owner.password);
  await isRefused(thief, owner.email, owner.password);
  await thieving.close();

  await page.goto(await linkTo(school, owner.email, '/student/reset-password'));
  await field(page, 'New Password').fill(chosen);
  await field(page, 'Confirm New Password').fill(chosen);
  await button(page, 'Change My Password').click();
  await expect(heading(page, 'Your Password Was Changed')).toBeVisible();
  await logInStudent(page, school, { email: owner.email, password: chosen });
});

test('a link to another address dies with the password that asked for it', async ({ page, school }) => {
  const owner = await signedIn(page, school, 'forgetful');
  const mailbox = newEmail('thief');
  await moveTo(page, mailbox, owner.password);
  await expectToast(page, 'Profile Updated');
  const link = await linkTo(school, mailbox, '/student/verify');
  await owner.calls.post('/api/students/forgot-password', { data: { email: owner.email } });
  await page.goto(await linkTo(school, owner.email, '/student/reset-password'));
  await field(page, 'New Password').fill(chosen);
  await field(page, 'Confirm New Password').fill(chosen);
  await button(page, 'Change My Password').click();
  await expect(heading(page, 'Your Password Was Changed')).toBeVisible();

  await page.goto(link);
  await expect(heading(page, 'Verification failed')).toBeVisible();
  // The browser that chose the password stays signed in, and no change is pending.
  await page.goto('/student/dashboard?tab=profile');
  await expect(page.locator('dl').getByText(owner.email)).toBeVisible();
  await expect(page.getByText('We sent a link to')).toHaveCount(0);
});
