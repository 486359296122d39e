// The student login page: redirects, tabs in the address, and the verification page.
import { asDemoStudent } from '../actors.ts';
import { hold } from '../network.ts';
import { expect, expectToast, test } from '../school.ts';
import { button, field, fillLogin, heading, openRegistration } from './account.ts';

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

test('after the verification the login tab is open, whatever the address asks for', async ({ page }) => {
  await page.goto('/student/auth?tab=register&verified=true');
  await expect(page.getByRole('tab', { name: 'Login' })).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByText('Your email has been verified successfully! You can now log in.')).toBeVisible();
  await expect(page.getByRole('listitem').filter({ hasText: 'Your account is active' })).toHaveAttribute('aria-current', 'step');
  await page.goto('/student/auth?verified=yes');
  await expect(heading(page, 'Welcome Back')).toBeVisible();
  await expect(page.getByText('verified successfully')).toHaveCount(0);
});

test('beside the forms are the benefits, the five steps and the contact', async ({ page }) => {
  await page.goto('/student/auth');
  const panel = page.getByRole('region', { name: 'Your courses, in one place' });
  await expect(panel.getByRole('list', { name: 'How to Register' }).getByRole('listitem')).toContainText([
    'Complete the form',
    'Verify your email',
    'Log in',
    'Upload documents',
    'Browse and enroll',
  ]);
  await expect(panel.getByRole('link', { name: '(416) 555-0142' })).toHaveAttribute('href', 'tel:+14165550142');
  await expect(panel.getByRole('link', { name: 'office@northgate.example' })).toBeVisible();
});

test('every other address of the portal leads to the login', async ({ page }) => {
  for (const address of ['/student', '/student/login', '/student/no/such/page', '/student/reset-password']) {
    await page.goto(address);
    await expect(page).toHaveURL(/\/student\/auth$/);
    await expect(heading(page, 'Student Login')).toBeVisible();
  }
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
  await page.goto('/student/dashboard');
  await expect(page.getByText('Loading…')).toBeVisible();
  held.release();
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

test('the form is shown even if the session cannot be checked', async ({ page }) => {
  await page.route('**/api/students/me', (route) => route.fulfill({ status: 500, body: 'boom' }));
  await openRegistration(page);
  await expect(field(page, 'Email')).toBeVisible();
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

test('while the address is being verified the page says so', async ({ page }) => {
  const held = await hold(page, '**/api/students/verify/*');
  await page.goto('/student/verify/not-a-link');
  await expect(page.getByRole('status').filter({ hasText: 'Verifying your email address...' })).toBeVisible();
  await expect(page).toHaveTitle('Verify Your Email · Northgate Academy');
  held.release();
  await expect(heading(page, 'Verification failed')).toBeFocused();
  expect(held.count()).toBe(1);
  await page.getByRole('link', { name: 'Back to Login' }).click();
  await expect(page).toHaveURL(/\/student\/auth$/);
});

test('an offline verification can be retried', async ({ page }) => {
  await page.route('**/api/students/verify/*', (route) => route.abort('internetdisconnected'));
  await page.goto('/student/verify/a-token');
  await expect(heading(page, 'Verification failed')).toBeVisible();
  await expect(page.getByText('An error occurred during verification', { exact: true })).toBeVisible();
  await expect(page.getByText('could not be reached')).toBeVisible();
  await page.unroute('**/api/students/verify/*');
  await page.route('**/api/students/verify/*', (route) => route.fulfill({ json: { message: 'ok' } }));
  await button(page, 'Try Again').click();
  await expect(heading(page, 'Email Verified')).toBeFocused();
});

for (const [name, answer, words] of [
  ['in the server’s words', { status: 404, json: { message: 'The account is gone.' } }, 'The account is gone.'],
  [
    'in words although the answer has none',
    { status: 500, body: '<html>boom</html>' },
    "We couldn't verify your email address. The link may have expired or is invalid.",
  ],
] as const) {
  test(`a failed verification is reported ${name}`, async ({ page }) => {
    await page.route('**/api/students/verify/*', (route) => route.fulfill(answer));
    await page.goto('/student/verify/a-token');
    await expect(heading(page, 'Verification failed')).toBeVisible();
    await expect(page.getByText(words, { exact: true })).toBeVisible();
    await expect(page.getByText('boom')).toHaveCount(0);
    // Only temporary failures can be retried.
    await expect(button(page, 'Try Again')).toHaveCount(answer.status === 500 ? 1 : 0);
    await expect(button(page, 'Send a New Link')).toBeVisible();
  });
}

for (const address of ['/student/verify', '/student/verify/']) {
  test(`${address} says that the link is incomplete`, async ({ page }) => {
    await page.goto(address);
    await expect(heading(page, 'Verification failed')).toBeVisible();
    await expect(page.getByText('Invalid verification link', { exact: true })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Back to Login' })).toBeVisible();
  });
}

test('a failure does not push the button off a small window', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto('/student/auth');
  await fillLogin(page, 'unknown@mail.example', 'not the password');
  await button(page, 'Login').click();
  await expect(page.locator('.notice-error')).toBeVisible();
  await expect(button(page, 'Login')).toBeInViewport({ ratio: 1 });
});
