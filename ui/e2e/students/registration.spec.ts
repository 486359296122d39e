// Journeys of a student's account: registration, verification, login and password reset.
import { logInStudent } from '../actors.ts';
import { emails, linkTo } from '../mail.ts';
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
  registerAccount,
  verifiedAccount,
} from './account.ts';

test('a newcomer registers, verifies the address and logs in', async ({ page, school }) => {
  const email = newEmail();
  await page.goto('/student/auth');
  await button(page, 'Create an Account').click();
  await expect(heading(page, 'Create Your Account')).toBeFocused();
  await expect(page).toHaveURL(/\/student\/auth\?tab=register$/);
  await fillRegistration(page, `  ${email.toUpperCase()} `);
  await button(page, 'Register').click();
  await expectToast(page, 'Registration successful', 'Please check your email to verify your account.');
  await expect(heading(page, 'Check Your Inbox')).toBeFocused();
  await expect(page.getByText(email.toUpperCase())).toBeVisible();
  await expect(page.getByRole('listitem').filter({ hasText: 'Verify your email' })).toHaveAttribute('aria-current', 'step');
  // The page keeps the email across a reload and on Back.
  await page.reload();
  await expect(page.getByText(email.toUpperCase())).toBeVisible();
  await page.getByRole('link', { name: 'Privacy Policy' }).first().click();
  await expect(page.getByRole('heading', { level: 1, name: 'Privacy Policy' })).toBeVisible();
  await page.goBack();
  await expect(page.getByText(email.toUpperCase())).toBeVisible();
  await expect(page).toHaveURL(/\?tab=register$/);
  // Switching tabs keeps it as well.
  await page.getByRole('tab', { name: 'Login' }).click();
  await page.reload();
  await page.getByRole('tab', { name: 'Register' }).click();
  await expect(heading(page, 'Check Your Inbox')).toBeVisible();
  await button(page, 'Correct the Address').click();
  await expect(field(page, 'Email')).toHaveValue(email.toUpperCase());
  await page.reload();
  await expect(heading(page, 'Create Your Account')).toBeVisible();

  await page.goto(await linkTo(school, email, '/student/verify'));
  await expect(page.getByText('Your email has been successfully verified!')).toBeVisible();
  await expect(heading(page, 'Email Verified')).toBeFocused();
  // Automatically, after two seconds.
  await expect(page).toHaveURL(/\/student\/auth\?verified=true$/);
  await expect(page.getByText('Your email has been verified successfully! You can now log in.')).toBeVisible();
  await fillLogin(page, email);
  await button(page, 'Login').click();
  await expect(page).toHaveURL(/\/student\/dashboard$/);
  await expectToast(page, 'Login successful', 'Welcome back!');
});

test('the link of the email works a second time, as mail scanners open links too', async ({ page, school }) => {
  const email = await registerAccount(page, school);
  const link = await linkTo(school, email, '/student/verify');
  for (let visit = 0; visit < 2; visit += 1) {
    await page.goto(link);
    await expect(page.getByText('Your email has been successfully verified!')).toBeVisible();
    await page.getByRole('link', { name: 'Proceed to Login' }).click();
    await expect(page).toHaveURL(/\/student\/auth\?verified=true$/);
  }
});

test('a broken link offers a new one', async ({ page, school }) => {
  const email = await registerAccount(page, school);
  const first = await linkTo(school, email, '/student/verify');
  await page.goto('/student/verify/not-a-link-of-ours');
  await expect(heading(page, 'Verification failed')).toBeFocused();
  await expect(
    page.getByText("We couldn't verify your email address. The link may have expired or is invalid."),
  ).toBeVisible();
  await button(page, 'Send a New Link').click();
  await expect(page.getByRole('alert').getByRole('link', { name: 'Please enter a valid email address' })).toBeVisible();
  await field(page, 'Email').fill(email);
  await button(page, 'Send a New Link').click();
  await expect(page.getByText('If an account with this address waits for verification, a new link is on its way.')).toBeVisible();
  await expect(page.getByText(`You entered ${email}.`)).toBeVisible();
  await expect(heading(page, 'Send a New Link')).toBeFocused();

  await expect.poll(() => emails(school, email).length).toBe(2);
  const second = await linkTo(school, email, '/student/verify');
  expect(second).not.toBe(first);
  await page.goto(second);
  await expect(heading(page, 'Email Verified')).toBeVisible();
});

test('a wrong address is corrected and a new link asked for', async ({ page, school }) => {
  const [wrong, right] = [newEmail('wrogn'), newEmail('right')];
  await openRegistration(page);
  await fillRegistration(page, wrong);
  await button(page, 'Register').click();
  await button(page, 'Correct the Address').click();
  await expect(field(page, 'Email')).toBeFocused();
  await expect(field(page, 'Email')).toHaveValue(wrong);
  await fillRegistration(page, right);
  await button(page, 'Register').click();
  await expect(page.getByText(right)).toBeVisible();
  // Only the newer of two queued emails is sent.
  await expect.poll(() => emails(school, right).length).toBe(1);
  await button(page, 'Send a New Link').click();
  await expect(page.getByText('If an account with this address waits for verification, a new link is on its way.')).toBeVisible();
  await expect.poll(() => emails(school, right).length).toBe(2);
  expect(emails(school, wrong)).toHaveLength(1);
  // The email is prefilled.
  await button(page, 'Go to Login').click();
  await expect(heading(page, 'Welcome Back')).toBeFocused();
  await expect(field(page, 'Email')).toHaveValue(right);
  // Arrow keys keep the focus on the tabs.
  await page.getByRole('tab', { name: 'Login' }).press('ArrowRight');
  await expect(heading(page, 'Check Your Inbox')).toBeVisible();
  await expect(page.getByRole('tab', { name: 'Register' })).toBeFocused();
});

test('an account that is not verified gets a new link, at the address that was tried', async ({ page, school }) => {
  const email = await registerAccount(page, school);
  await linkTo(school, email, '/student/verify');
  await page.goto('/student/auth');
  await fillLogin(page, email);
  await button(page, 'Login').click();
  await expectToast(page, 'Login failed', 'Please verify your email address first.');
  await expect(page.getByText(`The link is in the message we sent to ${email}.`)).toBeVisible();
  const other = newEmail('other');
  await field(page, 'Email').fill(other);
  await expect(page.getByText(`The link is in the message we sent to ${email}.`)).toBeVisible();
  const sent = page.waitForRequest('**/api/students/resend-verification');
  await button(page, 'Send a New Link').click();
  expect((await sent).postDataJSON()).toEqual({ email });
  await expect(page.getByText('a new link is on its way')).toBeVisible();
  await expect.poll(() => emails(school, email).length).toBe(2);
  expect(emails(school, other)).toHaveLength(0);
});

test('a taken email gets the same response, and its owner an email', async ({ page, school }) => {
  await openRegistration(page);
  await fillRegistration(page, school.student.email, 'seven quiet wooden boats');
  await button(page, 'Register').click();
  await expectToast(page, 'Registration successful', 'Please check your email to verify your account.');
  await expect(heading(page, 'Check Your Inbox')).toBeVisible();
  await expect
    .poll(() => emails(school, school.student.email).filter((text) => text.includes('You already have an account')).length)
    .toBe(1);
  // The account was not taken over.
  await logInStudent(page, school);
});

test('a forgotten password is replaced, and every other device logged out', async ({ page, school, browser }) => {
  const email = await verifiedAccount(page, school);
  const elsewhere = await (await browser.newContext({ baseURL: school.url })).newPage();
  await logInStudent(elsewhere, school, { email, password });

  await page.goto('/student/auth');
  await field(page, 'Email').fill(email);
  await page.getByRole('link', { name: 'Forgot password?' }).click();
  await expect(heading(page, 'Forgot Your Password')).toBeFocused();
  await expect(page).toHaveTitle('Forgot Your Password · Northgate Academy');
  await expect(field(page, 'Email')).toHaveValue(email);
  await button(page, 'Send the Link').click();
  await expect(heading(page, 'Check Your Inbox')).toBeFocused();

  const link = await linkTo(school, email, '/student/reset-password');
  await page.goto(link);
  await expect(page).toHaveTitle('Choose a New Password · Northgate Academy');
  await expect(page.locator('body')).not.toContainText(link.split('/').at(-1) ?? '');
  await fillNewPassword(page, 'an even quieter heron');
  await button(page, 'Change My Password').click();
  await expect(heading(page, 'Your Password Was Changed')).toBeFocused();
  await expect(page.getByText('Every other device was logged out')).toBeVisible();
  await expect(page).toHaveURL(/\/student\/reset-password\/done$/);
  await expect.poll(() => emails(school, email).some((text) => text.includes('Subject: Your password was changed'))).toBe(true);

  await elsewhere.reload();
  await expect(elsewhere).toHaveURL(/\/student\/auth$/);
  await elsewhere.context().close();

  await page.getByRole('link', { name: 'Proceed to Login' }).click();
  await fillLogin(page, email);
  await button(page, 'Login').click();
  await expectToast(page, 'Login failed', 'Invalid email or password');
  await field(page, 'Password').fill('an even quieter heron');
  await button(page, 'Login').click();
  await expect(page).toHaveURL(/\/student\/dashboard$/);

  // A used link offers a new one.
  await page.goto(link);
  await fillNewPassword(page, 'yet another password');
  await button(page, 'Change My Password').click();
  await expect(heading(page, 'This Link No Longer Works')).toBeFocused();
  await expect(page.getByText('This link has expired or was used already. Please ask for a new one.')).toBeVisible();
  await page.getByRole('link', { name: 'Ask for a New Link' }).click();
  await expect(heading(page, 'Forgot Your Password')).toBeFocused();
});

test('a forgotten password gets the same response for any email', async ({ page, school }) => {
  const unknown = newEmail('unknown');
  const answers: string[] = [];
  for (const email of [unknown, school.student.email]) {
    await page.goto('/student/auth');
    await page.getByRole('link', { name: 'Forgot password?' }).click();
    await expect(heading(page, 'Forgot Your Password')).toBeFocused();
    await field(page, 'Email').fill(email);
    await button(page, 'Send the Link').click();
    await expect(heading(page, 'Check Your Inbox')).toBeVisible();
    answers.push((await page.locator('main').innerText()).replace(email, '…'));
  }
  expect(answers[0]).toContain('If an account with this address exists, a link to choose a new password is on its way.');
  expect(answers[1]).toBe(answers[0]);
  await linkTo(school, school.student.email, '/student/reset-password');
  expect(emails(school, unknown)).toHaveLength(0);

  await page.reload();
  await expect(page.getByText(`You entered ${school.student.email}.`)).toBeVisible();
  await page.goto('/privacy');
  await page.goBack();
  await expect(page.getByText(`You entered ${school.student.email}.`)).toBeVisible();
  await button(page, 'Try Another Address').click();
  await expect(field(page, 'Email')).toBeFocused();
  await expect(field(page, 'Email')).toHaveValue(school.student.email);
});

test('the keyboard alone registers and logs in', async ({ page, school }) => {
  const email = newEmail();
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  await page.goto('/student/auth');
  await page.getByRole('tab', { name: 'Login' }).focus();
  await press('ArrowRight');
  await expect(page.getByRole('tab', { name: 'Register' })).toBeFocused();
  await expect(page).toHaveURL(/\?tab=register$/);
  await press('Tab');
  await page.keyboard.type(email);
  await press('Tab');
  await page.keyboard.type(password);
  // Skip the show-password button.
  await press('Tab', 'Tab');
  await page.keyboard.type(password);
  await press('Enter');
  await expect(heading(page, 'Check Your Inbox')).toBeFocused();
  await press('Tab');
  await expect(button(page, 'Go to Login')).toBeFocused();

  await page.goto(await linkTo(school, email, '/student/verify'));
  await expect(heading(page, 'Email Verified')).toBeFocused();
  await press('Tab', 'Enter');
  await expect(page).toHaveURL(/\/student\/auth\?verified=true$/);
  await page.getByRole('tab', { name: 'Login' }).focus();
  await press('Tab');
  await page.keyboard.type(email);
  await press('Tab');
  await page.keyboard.type(password);
  await press('Enter');
  await expect(page).toHaveURL(/\/student\/dashboard$/);
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
