// Pages translated by the browser, which replaces React's text nodes.
import { signedIn } from './actors.ts';
import { requestCourses } from './enrollments/actions.ts';
import { linkTo } from './mail.ts';
import { expect, expectToast, test } from './school.ts';
import { button, field, fillLogin, fillNewPassword, fillRegistration, heading, newEmail, openRegistration, verifiedAccount } from './students/account.ts';

test.use({ isTranslated: true });

test('a newcomer registers, verifies the address and logs in on translated pages', async ({ page, school }) => {
  const email = newEmail();
  await openRegistration(page);
  await fillRegistration(page, 'no address', 'short', 'other');
  await button(page, 'Register').click();
  await expect(page.getByRole('alert').first()).toBeFocused();
  await fillRegistration(page, email);
  await button(page, 'Register').click();
  await expectToast(page, 'Registration successful');
  await expect(heading(page, 'Check Your Inbox')).toBeFocused();
  await page.goto(await linkTo(school, email, '/student/verify'));
  await expect(page.getByText('Your email has been successfully verified!')).toBeVisible();
  await page.goto('/student/auth');
  await fillLogin(page, email);
  await button(page, 'Login').click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Welcome');
});

test('a forgotten password is replaced on translated pages', async ({ page, school }) => {
  const email = await verifiedAccount(page, school);
  await page.goto('/student/forgot-password');
  await field(page, 'Email').fill(email);
  await page.getByRole('button').filter({ hasText: /link/i }).click();
  await page.goto(await linkTo(school, email, '/student/reset-password'));
  await fillNewPassword(page, 'a', 'b');
  await page.locator('form button[type=submit]').click();
  await expect(page.getByRole('alert').first()).toBeFocused();
  await fillNewPassword(page, 'an entirely different heron');
  await page.locator('form button[type=submit]').click();
  await expect(page.locator('form')).toHaveCount(0);
  await expect(page.getByText('This page could not be loaded')).toHaveCount(0);
});

test('a request is withdrawn in My Courses on a translated page', async ({ page, fresh }) => {
  await requestCourses(await signedIn(page, fresh, 'reader'), ['ENG4U']);
  await page.goto(`${fresh.url}/student/dashboard?tab=courses`);
  const course = page.getByRole('listitem').filter({ hasText: 'ENG4U' }).first();
  await course.getByRole('button', { name: 'Withdraw Request' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Withdraw Request' }).click();
  await expectToast(page, 'Request Withdrawn');
  await expect(course).toContainText('withdrawn');
  await expect(course.getByRole('progressbar')).toHaveCount(0);
});

test('the contact form answers and sends on a translated page', async ({ page }) => {
  await page.goto('/contact');
  await page.getByRole('button', { name: 'Send Message' }).click();
  await expect(page.getByRole('alert').first()).toBeFocused();
  await page.getByLabel('Name').fill('Zoë Tremblay');
  await page.getByLabel('Email', { exact: true }).fill('zoe@mail.example');
  await page.getByLabel('Subject').selectOption({ index: 1 });
  await page.getByRole('textbox', { name: 'Message' }).fill('Which courses start in February?');
  await page.getByRole('button', { name: 'Send Message' }).click();
  await expect(page.getByRole('alert')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Send Message' })).toHaveCount(0);
});
