// The student login page: redirects, tabs in the address, and the verification page.
import { asDemoStudent } from '../actors.ts';
import { hold } from '../network.ts';
import { expect, expectToast, test } from '../school.ts';
import { button, field, fillLogin, heading } from './account.ts';

test('the open tab is in the address, survives a reload and is not a step of the history', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('link', { name: 'Student Login' }).first().click();
  await expect(heading(page, 'Student Login')).toBeFocused();
  await expect(page).toHaveTitle('Student Login · Northgate Academy');
  await page.getByRole('tab', { name: 'Register' }).click();
  await expect(page).toHaveURL(/\/student\/auth\?tab=register$/);
  await expect(page.getByRole('tabpanel', { name: 'Register' })).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 }), 'the heading follows the tab').toHaveText('Student Registration');
  await page.reload();
  await expect(page.getByRole('tab', { name: 'Register' })).toHaveAttribute('aria-selected', 'true');
  await page.goBack();
  await expect(page).toHaveURL(/\/$/);
  await page.goto('/student/auth?tab=nonsense');
  await expect(page.getByRole('tab', { name: 'Login' })).toHaveAttribute('aria-selected', 'true');
});

test('Back leads out of the login that a deep link led to, and not into it again', async ({ page, school }) => {
  await page.goto('/about');
  for (const [deep, login] of [['/student/courses?grade=12', /\/student\/auth\?next=/], ['/admin/students', /\/admin\/login\?next=/]] as const) {
    await page.goto(deep);
    await expect(page).toHaveURL(login);
    await page.goBack();
    await expect(page).toHaveURL(/\/about$/);
  }
  // A link to the login keeps the page in the history.
  await page.getByRole('link', { name: 'Student Login' }).first().click();
  await expect(page).toHaveURL(/\/student\/auth$/);
  await page.goBack();
  await expect(page).toHaveURL(/\/about$/);
  // Back does not reopen the form after the login.
  await asDemoStudent(page, school);
  await page.goto('/about');
  await page.goto('/student/auth');
  await expect(page).toHaveURL(/\/student\/dashboard$/);
  await page.goBack();
  await expect(page).toHaveURL(/\/about$/);
});

test('signed-in students never see the forms', async ({ page, school }) => {
  await asDemoStudent(page, school);
  // Records whether a login form was ever rendered.
  await page.addInitScript(() => {
    const look = () => document.querySelector('input[type=password]') && sessionStorage.setItem('drawn', 'yes');
    new MutationObserver(look).observe(document, { childList: true, subtree: true });
  });
  const held = await hold(page, '**/api/students/me');
  const opened = page.goto('/student/dashboard');
  await expect(page.locator('#root[data-drawn="frame"]')).toBeVisible();
  held.release();
  await opened;
  await expect(button(page, 'Logout')).toBeVisible();
  await page.goto('/student/auth?verified=true');
  await expect(page).toHaveURL(/\/student\/dashboard$/);
  await page.goto('/student/auth?next=/student/courses');
  await expect(page).toHaveURL(/\/student\/courses$/);
  await expect(button(page, 'Logout')).toBeVisible();
  const drawn = () => page.evaluate(() => sessionStorage.getItem('drawn'));
  expect(await drawn()).toBeNull();
  // The recorder works: signed out, the form is recorded.
  await button(page, 'Logout').click();
  await expect.poll(drawn).toBe('yes');
});

test('a deep link leads to its page after the login', async ({ page, school }) => {
  await page.goto('/student/courses');
  await expect(page).toHaveURL(/\/student\/auth\?next=%2Fstudent%2Fcourses$/);
  const steps = await page.evaluate(() => history.length);
  // Switching tabs keeps the destination.
  await page.getByRole('tab', { name: 'Register' }).click();
  await expect(page).toHaveURL(/tab=register&next=%2Fstudent%2Fcourses$/);
  await page.getByRole('tab', { name: 'Login' }).click();
  await expect(page).toHaveURL(/\/student\/auth\?next=%2Fstudent%2Fcourses$/);
  await fillLogin(page, school.student.email, school.student.password);
  await button(page, 'Login').click();
  await expect(page).toHaveURL(/\/student\/courses$/);
  await expectToast(page, 'Login successful', 'Welcome back!');
  await expect(heading(page, 'Available Courses')).toBeFocused();
  // The form leaves no history entry.
  expect(await page.evaluate(() => history.length)).toBe(steps);
});

test('a login leads only into the portal', async ({ page, school }) => {
  for (const next of ['//evil.example', 'https://evil.example/student/courses', '/admin/dashboard']) {
    await page.context().clearCookies();
    await page.goto(`/student/auth?next=${encodeURIComponent(next)}`);
    await fillLogin(page, school.student.email, school.student.password);
    await button(page, 'Login').click();
    await expect(page).toHaveURL(`${school.url}/student/dashboard`);
  }
});

test('the login follows two seconds after the verification', async ({ page }) => {
  await page.route('**/api/students/verify/*', (route) => route.fulfill({ json: { message: 'ok' } }));
  await page.clock.install();
  await page.goto('/student/auth');
  await expect(field(page, 'Email')).toBeVisible();
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 60_000));
  await page.goto('/student/verify/a-token');
  // The clock is stopped and advanced in steps.
  await expect(async () => {
    await page.clock.runFor(50);
    await expect(page.getByText('Your email has been successfully verified!')).toBeVisible({ timeout: 200 });
  }).toPass();
  await page.clock.runFor(1850);
  await expect(page).toHaveURL(/\/student\/verify\/a-token$/);
  await page.clock.runFor(150);
  await expect(async () => {
    await page.clock.runFor(50);
    await expect(page).toHaveURL(/\/student\/auth\?verified=true$/, { timeout: 200 });
  }).toPass();
});

test('leaving the page cancels the redirect', async ({ page }) => {
  await page.route('**/api/students/verify/*', (route) => route.fulfill({ json: { message: 'ok' } }));
  await page.clock.install();
  await page.goto('/student/verify/a-token');
  await expect(page.getByText('Your email has been successfully verified!')).toBeVisible();
  const held = await hold(page, '**/assets/AboutPage*.js');
  await page.getByRole('link', { name: 'About Us' }).first().click();
  await expect(page.getByRole('progressbar', { name: 'Loading the page' })).toBeAttached();
  await page.clock.fastForward(5000);
  held.release();
  await expect(heading(page, 'About Us')).toBeVisible();
  await page.clock.fastForward(5000);
  await expect(page).toHaveURL(/\/about$/);
});

test('a failure does not push the button off a small window', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto('/student/auth');
  await fillLogin(page, 'unknown@mail.example', 'not the password');
  await button(page, 'Login').click();
  await expect(page.locator('.notice-error')).toBeVisible();
  await expect(button(page, 'Login')).toBeInViewport({ ratio: 1 });
});
