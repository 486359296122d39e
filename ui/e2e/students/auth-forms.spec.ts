// The forms of a student's account: validation, refusals, failures, slow and offline responses.
import type { Page } from '@playwright/test';
import { hold } from '../network.ts';
import { expect, expectToast, test } from '../school.ts';
import {
  button,
  field,
  fillLogin,
  fillNewPassword,
  fillRegistration,
  heading,
  newEmail,
  openRegistration,
  password,
} from './account.ts';

const invalidEmail = 'Please enter a valid email address';
const shortPassword = 'Password must be at least 8 characters';
const different = "Passwords don't match";

const summary = (page: Page) => page.getByRole('alert').filter({ hasText: 'There is a problem' });

test('the login names each of its rules, with a period', async ({ page }) => {
  await page.goto('/student/auth');
  await button(page, 'Login').click();
  await expect(summary(page)).toBeFocused();
  await expect(field(page, 'Email')).toHaveAccessibleDescription(`${invalidEmail}.`);
  await expect(field(page, 'Password')).toHaveAccessibleDescription(`${shortPassword}.`);
  await summary(page).getByRole('link', { name: `${shortPassword}.` }).click();
  await expect(field(page, 'Password')).toBeFocused();
  await fillLogin(page, 'not an address', '1234567');
  await expect(field(page, 'Email')).toHaveAttribute('aria-invalid', 'true');
  await expect(field(page, 'Password')).toHaveAttribute('aria-invalid', 'true');
  await fillLogin(page, 'an@address.example', '12345678');
  await expect(summary(page)).toHaveCount(0);
});

test('the registration names each of its rules', async ({ page }) => {
  const messages = () => page.locator('.field-error').allInnerTexts();
  await openRegistration(page);
  await button(page, 'Register').click();
  await expect(summary(page)).toBeFocused();
  expect(await messages()).toEqual([invalidEmail, shortPassword, shortPassword]);
  await fillRegistration(page, 'an@address.example', '12345678', '12345679');
  await expect(field(page, 'Confirm Password')).toHaveAccessibleDescription(different);
  expect(await messages()).toEqual([different]);
  // Correcting the first one clears both errors.
  await field(page, 'Password').fill('12345679');
  await expect(page.locator('.field-error')).toHaveCount(0);
});

test('a new password has the same rules', async ({ page }) => {
  await page.goto('/student/reset-password/a-token');
  await button(page, 'Change My Password').click();
  await expect(summary(page)).toBeFocused();
  await expect(field(page, 'New Password')).toHaveAccessibleDescription(new RegExp(`^At least 8 characters\\. ${shortPassword} Three or four unrelated words`));
  await fillNewPassword(page, '12345678', '123456789');
  await expect(field(page, 'Confirm New Password')).toHaveAccessibleDescription(different);
});

test('password managers find their fields, and a password can be shown', async ({ page }) => {
  await page.goto('/student/auth');
  await expect(field(page, 'Email')).toHaveAttribute('autocomplete', 'username');
  await expect(field(page, 'Password')).toHaveAttribute('autocomplete', 'current-password');
  await openRegistration(page);
  await expect(field(page, 'Email')).toHaveAttribute('autocomplete', 'email');
  await expect(field(page, 'Confirm Password')).toHaveAttribute('autocomplete', 'new-password');
  await expect(field(page, 'Password')).toHaveAttribute('autocomplete', 'new-password');
  await field(page, 'Password').fill('to be seen');
  await expect(field(page, 'Password')).toHaveAttribute('type', 'password');
  await button(page, 'Show password').first().click();
  await expect(field(page, 'Password')).toHaveAttribute('type', 'text');
  await button(page, 'Hide password').click();
  await expect(field(page, 'Password')).toHaveAttribute('type', 'password');
});

/** Each form: address, how to fill it, and its failure message. */
const forms = [
  {
    name: 'login',
    address: '/student/auth',
    call: '**/api/students/login',
    fill: (page: Page) => fillLogin(page, 'kept@mail.example'),
    submit: 'Login',
    pending: 'Logging in...',
    toast: 'Login failed',
    otherwise: 'The school’s server could not log you in.',
  },
  {
    name: 'registration',
    address: '/student/auth?tab=register',
    call: '**/api/students/register',
    fill: (page: Page) => fillRegistration(page, newEmail('kept')),
    submit: 'Register',
    pending: 'Registering...',
    toast: 'Registration failed',
    otherwise: 'The school’s server could not create your account.',
  },
  {
    name: 'forgotten password',
    address: '/student/forgot-password',
    call: '**/api/students/forgot-password',
    fill: (page: Page) => field(page, 'Email').fill('kept@mail.example'),
    submit: 'Send the Link',
    pending: 'Sending...',
    otherwise: 'The link could not be sent.',
  },
  {
    name: 'new verification link',
    address: '/student/verify',
    call: '**/api/students/resend-verification',
    fill: (page: Page) => field(page, 'Email').fill('kept@mail.example'),
    submit: 'Send a New Link',
    pending: 'Sending...',
    otherwise: 'The link could not be sent.',
  },
  {
    name: 'new password',
    address: '/student/reset-password/a-token',
    call: '**/api/students/reset-password',
    fill: (page: Page) => fillNewPassword(page, password),
    submit: 'Change My Password',
    pending: 'Saving...',
    otherwise: 'Your password could not be changed.',
  },
];

for (const { name, address, call, fill, submit, pending, toast, otherwise } of forms) {
  test(`${name}: a failure is reported and loses nothing`, async ({ page }) => {
    const tooMany = 'Too many attempts. Please wait 2 minutes, then try again.';
    const failures = [
      [{ status: 500, contentType: 'text/html', body: '<html>boom</html>' }, otherwise],
      [{ status: 429, headers: { 'retry-after': '120' }, json: { message: tooMany } }, tooMany],
      [null, 'The school’s server could not be reached. Please check your connection and try again.'],
    ] as const;
    await page.goto(address);
    await fill(page);
    const typed = await page.locator('main input').evaluateAll((inputs: HTMLInputElement[]) => inputs.map(({ value }) => value));
    for (const [answer, words] of failures) {
      await page.unroute(call);
      await page.route(call, (route) => (answer ? route.fulfill(answer) : route.abort('internetdisconnected')));
      await button(page, submit).click();
      await expect(page.locator('main form .notice')).toContainText(words);
      if (toast) await expectToast(page, toast, words);
      else await expect(page.locator('.toast')).toHaveCount(0);
      await expect(page.getByText('boom')).toHaveCount(0);
    }
    expect(
      await page.locator('main input').evaluateAll((inputs: HTMLInputElement[]) => inputs.map(({ value }) => value)),
    ).toEqual(typed);
  });

  test(`${name}: while it is sent the button says so, and nothing is sent twice`, async ({ page }) => {
    await page.goto(address);
    await fill(page);
    const held = await hold(page, call);
    await button(page, submit).dblclick();
    await expect(button(page, pending)).toHaveAttribute('aria-disabled', 'true');
    await button(page, pending).click({ force: true });
    await page.locator('main form input').first().press('Enter');
    const answered = page.waitForResponse(call);
    held.release();
    await answered;
    await expect(button(page, pending)).toHaveCount(0);
    expect(held.count()).toBe(1);
  });
}

test('a server error is shown at its field', async ({ page }) => {
  await page.route('**/api/students/register', (route) =>
    route.fulfill({
      status: 400,
      json: { message: 'Please check the form.', fields: { password: 'Password must be at most 256 characters' } },
    }),
  );
  await openRegistration(page);
  await fillRegistration(page, newEmail(), 'x'.repeat(300));
  await button(page, 'Register').click();
  await expectToast(page, 'Registration failed', 'Please check the form.');
  await expect(summary(page)).toBeFocused();
  await expect(field(page, 'Password')).toHaveAccessibleDescription(/Password must be at most 256 characters/);
});

test('a wrong password is reported and the email stays', async ({ page, school }) => {
  await page.goto('/student/auth');
  await fillLogin(page, school.student.email, 'not the password');
  await button(page, 'Login').click();
  await expectToast(page, 'Login failed', 'Invalid email or password');
  await expect(page.locator('main form .notice')).toHaveText('Invalid email or password');
  await expect(field(page, 'Email')).toHaveValue(school.student.email);
});

test('a link that cannot be sent again is reported beside its button', async ({ page }) => {
  await openRegistration(page);
  await fillRegistration(page, newEmail());
  await button(page, 'Register').click();
  await expect(heading(page, 'Check Your Inbox')).toBeVisible();
  await page.route('**/api/students/resend-verification', (route) => route.abort('internetdisconnected'));
  await button(page, 'Send a New Link').click();
  await expect(page.getByRole('status').filter({ hasText: 'could not be reached' })).toBeVisible();
  await page.unroute('**/api/students/resend-verification');
  const held = await hold(page, '**/api/students/resend-verification');
  await button(page, 'Send a New Link').dblclick();
  await expect(button(page, 'Sending...')).toBeVisible();
  await expect(page.getByText('could not be reached')).toHaveCount(0);
  held.release();
  await expect(page.getByRole('status').filter({ hasText: 'a new link is on its way' })).toBeVisible();
  expect(held.count()).toBe(1);
});

test('leaving a started registration asks first', async ({ page }) => {
  await openRegistration(page);
  await field(page, 'Email').fill('begun@mail.example');
  await page.getByRole('link', { name: 'About Us' }).first().click();
  await expect(heading(page, 'Leave without saving?')).toBeVisible();
  await button(page, 'Keep Editing').click();
  await expect(field(page, 'Email')).toHaveValue('begun@mail.example');
  // The terms open in a new tab.
  const opened = page.waitForEvent('popup');
  await page.locator('main').getByRole('link', { name: 'Privacy Policy' }).click();
  await expect(heading(await opened, 'Privacy Policy')).toBeVisible();
  await expect(field(page, 'Email')).toHaveValue('begun@mail.example');
  // The email is kept on the other tab.
  await page.getByRole('tab', { name: 'Login' }).click();
  await expect(field(page, 'Email')).toHaveValue('begun@mail.example');
});
