// An office password reset by the link that `reset-password` prints.
import { dirname } from 'node:path';
import { asStaff } from '../actors.ts';
import { expectSoundInEveryLook } from '../looks.ts';
import { emails } from '../mail.ts';
import { expect, run, type School, test } from '../school.ts';
import { button, field, fillNewPassword, heading } from '../students/account.ts';

/** Runs `reset-password` beside the running school. */
function printLink(school: School, username: string): string {
  const args = ['--data-dir', dirname(school.mail), 'reset-password', '--username', username];
  return run(args, { SCHOOLHOUSE_SERVER_PUBLIC_URL: school.url });
}

const chosen = 'an even quieter heron';

test('a link from the command line resets the password once, and ends every other session', async ({ page, fresh, browser }) => {
  const elsewhere = await (await browser.newContext()).newPage();
  await asStaff(elsewhere, fresh);
  await elsewhere.goto(`${fresh.url}/admin/dashboard`);
  await expect(elsewhere.getByRole('heading', { level: 1, name: 'Admin Portal' })).toBeVisible();

  const link = printLink(fresh, fresh.staff.username);
  await page.goto(link);
  await expect(page).toHaveTitle('Choose a New Password · Northgate Academy');
  await expect(page.locator('body')).not.toContainText(link.split('/').at(-1) ?? '');
  await fillNewPassword(page, 'short', 'shorter');
  await button(page, 'Change My Password').click();
  await expect(page.getByRole('alert')).toBeFocused();
  await expect(field(page, 'New Password')).toHaveAccessibleDescription(/^At least 8 characters\. Password must be at least 8 characters Too short: 3 more/);
  await fillNewPassword(page, chosen, `${chosen}!`);
  await expect(field(page, 'Confirm New Password')).toHaveAccessibleDescription("Passwords don't match");
  await fillNewPassword(page, chosen);
  await button(page, 'Change My Password').click();
  await expect(heading(page, 'Your Password Was Changed')).toBeFocused();
  await expect(page).toHaveURL(/\/admin\/reset-password\/done$/);
  await expect
    .poll(() => emails(fresh, 'principal@northgate.example').some((text) => text.includes('Subject: Your password was changed')))
    .toBe(true);

  await elsewhere.reload();
  await expect(elsewhere).toHaveURL(/\/admin\/login/);
  await elsewhere.context().close();

  await page.getByRole('link', { name: 'Proceed to Login' }).click();
  await page.getByLabel('Username').fill(fresh.staff.username);
  await field(page, 'Password').fill(chosen);
  await button(page, 'Login').click();
  await expect(page).toHaveURL(/\/admin\/dashboard$/);

  await page.goto(link);
  await fillNewPassword(page, 'yet another password');
  await button(page, 'Change My Password').click();
  await expect(heading(page, 'This Link No Longer Works')).toBeFocused();
  await expect(page.getByText('This link has expired or was used already. Please ask for a new one.')).toBeVisible();
  // A signed-in user is redirected to the office.
  await page.getByRole('link', { name: 'Back to Login' }).click();
  await expect(page).toHaveURL(/\/admin\/dashboard$/);
});

test('a failure is reported and loses nothing', async ({ page }) => {
  await page.goto('/admin/reset-password/a-token');
  await fillNewPassword(page, chosen);
  const failures = [
    [{ status: 500, contentType: 'text/html', body: '<html>boom</html>' }, 'Your password could not be changed.'],
    [{ status: 429, json: { message: 'Too many attempts. Please wait 2 minutes, then try again.' } }, 'Please wait 2 minutes'],
    [null, 'The school’s server could not be reached.'],
  ] as const;
  for (const [answer, words] of failures) {
    await page.unroute('**/api/reset-password');
    await page.route('**/api/reset-password', (route) => (answer ? route.fulfill(answer) : route.abort('internetdisconnected')));
    await button(page, 'Change My Password').click();
    await expect(page.locator('main form .notice')).toContainText(words);
    await expect(page.getByText('boom')).toHaveCount(0);
  }
  await expect(field(page, 'New Password')).toHaveValue(chosen);
  await expect(field(page, 'Confirm New Password')).toHaveValue(chosen);
});

test('every state is sound in every look', async ({ page }) => {
  // The empty form is checked with the portal pages.
  await page.goto('/admin/reset-password/a-token');
  await button(page, 'Change My Password').click();
  await expect(page.getByText('There is a problem')).toBeVisible();
  await expectSoundInEveryLook(page);
  await fillNewPassword(page, chosen);
  await button(page, 'Change My Password').click();
  await expect(heading(page, 'This Link No Longer Works')).toBeVisible();
  await expectSoundInEveryLook(page);
  await page.route('**/api/reset-password', (route) => route.fulfill({ json: { message: 'ok' } }));
  await page.goto('/admin/reset-password/a-token');
  await fillNewPassword(page, chosen);
  await button(page, 'Change My Password').click();
  await expect(heading(page, 'Your Password Was Changed')).toBeVisible();
  await expectSoundInEveryLook(page);
});
