// The office's login: validation, credentials and redirects.
import { expectSoundInEveryLook } from '../looks.ts';
import { hold } from '../network.ts';
import { expect, expectToast, test } from '../school.ts';

test('the login names what is missing, and is sound in every look', async ({ page }) => {
  // The empty form is checked with the public pages.
  await page.goto('/admin/login');
  await expect(page.getByText(/demo|credential/i)).toHaveCount(0);
  await page.getByRole('button', { name: 'Login', exact: true }).click();
  const summary = page.getByRole('alert');
  await expect(summary).toBeFocused();
  await expect(page.getByLabel('Username')).toHaveAccessibleDescription('Username is required');
  await expect(page.getByLabel('Password', { exact: true })).toHaveAccessibleDescription('Password is required');
  await expectSoundInEveryLook(page);
  await summary.getByRole('link', { name: 'Password is required' }).click();
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused();
});

test('wrong credentials are refused, the right ones log in, and then the login redirects', async ({ page, school }) => {
  await page.goto('/admin/login');
  const password = page.getByLabel('Password', { exact: true });
  await page.getByLabel('Username').fill(school.staff.username);
  await password.fill('not the password');
  await page.getByRole('button', { name: 'Show password' }).click();
  await expect(password).toHaveAttribute('type', 'text');
  await page.getByRole('button', { name: 'Hide password' }).click();
  await expect(password).toHaveAttribute('type', 'password');
  await page.getByRole('button', { name: 'Login', exact: true }).click();
  await expectToast(page, 'Login failed', 'Invalid username or password');
  await expect(password).toHaveValue('not the password');
  await password.fill(school.staff.password);
  await password.press('Enter');
  await expectToast(page, 'Login successful', 'Welcome to the admin portal');
  await expect(page).toHaveURL(/\/admin\/dashboard$/);
  await expect(page.getByRole('heading', { level: 1, name: 'Admin Portal' })).toBeFocused();
  await page.goto('/admin/login');
  await expect(page).toHaveURL(/\/admin\/dashboard$/);
});

test('the button says that it is logging in, and a server without words gets the page’s own', async ({ page }) => {
  await page.route('**/api/login', (route) => route.fulfill({ status: 500, contentType: 'text/html', body: '<h1>boom</h1>' }));
  const held = await hold(page, '**/api/login');
  await page.goto('/admin/login');
  await page.getByLabel('Username').fill('office');
  await page.getByLabel('Password', { exact: true }).fill('x');
  await page.getByRole('button', { name: 'Login', exact: true }).dblclick();
  await expect(page.getByRole('button', { name: 'Logging in...' })).toBeVisible();
  held.release();
  await expectToast(page, 'Login failed', 'Invalid username or password');
  await expect(page.getByText('boom')).toHaveCount(0);
  expect(held.count()).toBe(1);
});

test('logged out, every page of the office leads to the login and back, every other to the login', async ({ page, school }) => {
  for (const path of ['/admin', '/admin/nothing', '/admin/dashboard']) {
    await page.goto(path);
    await expect(page).toHaveURL(/\/admin\/login$/);
  }
  await page.goto('/admin/documents?q=passport');
  await expect(page).toHaveURL(/\/admin\/login\?next=/);
  await page.getByLabel('Username').fill(school.staff.username);
  await page.getByLabel('Password', { exact: true }).fill(school.staff.password);
  await page.getByRole('button', { name: 'Login', exact: true }).click();
  await expect(page).toHaveURL(/\/admin\/documents\?q=passport$/);
});
