// A student's second factor: setup, login, password change and reset by the office.
import { asStaff, signedIn } from '../actors.ts';
import { expectSoundInEveryLook } from '../looks.ts';
import { subjectsTo } from '../mail.ts';
import { expect, expectToast, test } from '../school.ts';
import { card, codeOf, setUp } from '../second-factor.ts';
import { fillLogin } from './account.ts';

test('a student sets an app up, logs in with its code, proves it, and turns it off again', async ({ page, school }) => {
  const { email, password } = await signedIn(page, school, 'second.factor');
  await page.goto('/student/account');
  await expectSoundInEveryLook(page);
  const { secret, codes } = await setUp(page, password);
  await expectSoundInEveryLook(page);

  // The codes are shown only once.
  await page.getByRole('link', { name: 'Available Courses' }).click();
  const leaving = page.getByRole('dialog', { name: 'Leave without the recovery codes?' });
  await leaving.getByRole('button', { name: 'Stay' }).click();
  await card(page).getByRole('button', { name: 'I Have Saved Them' }).click();
  await expect(card(page)).toContainText('10 recovery codes are left');
  await expect.poll(() => subjectsTo(school, email)).toContain('Your second factor is set up');

  await page.getByRole('button', { name: 'Logout' }).click();
  await expectToast(page, 'Logged out successfully');
  await page.goto('/student/auth?next=%2Fstudent%2Faccount');
  await fillLogin(page, email, password);
  // The second step is a lazy-loaded part, which may fail to load.
  await page.route('**/assets/CodeField-*.js', (route) => route.abort('internetdisconnected'));
  await page.getByRole('button', { name: 'Login', exact: true }).click();
  await expect(page.getByRole('tabpanel').getByText('A part of this page could not be loaded.')).toBeVisible();
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue(password);
  await page.unroute('**/assets/CodeField-*.js');
  await page.getByRole('button', { name: 'Login', exact: true }).click();
  const code = page.getByLabel('Code', { exact: true });
  await expect(code).toBeFocused();
  await expectSoundInEveryLook(page);
  await code.fill('000000');
  await code.press('Enter');
  await expect(code).toHaveAccessibleDescription(/This code is not right/);
  await page.getByRole('button', { name: 'Back to the password' }).click();
  await expect(page.getByLabel('Email', { exact: true })).toHaveValue(email);
  await page.getByRole('button', { name: 'Login', exact: true }).click();
  await code.fill(codeOf(secret, 1));
  await code.press('Enter');
  await expectToast(page, 'Login successful', 'Welcome back!');

  // A password change needs a recent proof, and is then sent.
  const refused = { status: 403, json: { message: 'Please confirm that it is you, then try again.', reason: 'step_up' } };
  await page.route('**/api/students/password', (route) => route.fulfill(refused), { times: 1 });
  await page.getByLabel('Current Password', { exact: true }).fill(password);
  await page.getByLabel('New Password', { exact: true }).fill('another quiet heron');
  await page.getByLabel('Confirm New Password', { exact: true }).fill('another quiet heron');
  await page.getByRole('button', { name: 'Change Password' }).click();
  const question = page.getByRole('dialog', { name: 'Confirm It’s You' });
  await question.getByRole('button', { name: 'Use a recovery code instead' }).click();
  await question.getByLabel('Recovery Code').fill(codes[0] ?? '');
  await expectSoundInEveryLook(page);
  await question.getByRole('button', { name: 'Confirm', exact: true }).click();
  await expectToast(page, 'Password changed');

  await page.reload();
  await expect(card(page)).toContainText('9 recovery codes are left');
  await card(page).getByRole('button', { name: 'Turn Off...' }).click();
  const off = page.getByRole('dialog', { name: 'Turn Off the Second Factor' });
  await off.getByRole('button', { name: 'Use a recovery code instead' }).click();
  await off.getByLabel('Recovery Code').fill(codes[1] ?? '');
  await off.getByLabel('Your Password', { exact: true }).fill('another quiet heron');
  await off.getByRole('button', { name: 'Turn Off', exact: true }).click();
  await expectToast(page, 'Your second factor is turned off');
  await expect(card(page).getByRole('button', { name: 'Set Up' })).toBeVisible();
});

test('the office resets the second factor of a student who has lost it', async ({ page, fresh }) => {
  const { email, password, calls } = await signedIn(page, fresh, 'lost.phone');
  const { id } = (await (await calls.get('/api/students/me')).json()) as { id: number };
  await page.goto(`${fresh.url}/student/account`);
  await setUp(page, password);
  await asStaff(page, fresh);
  // Leave the recovery codes on purpose.
  page.on('dialog', (dialog) => void dialog.accept());
  await page.goto(`${fresh.url}/admin/students/${id}`);
  await expect(page.getByRole('region', { name: 'Profile' })).toContainText('Second factorOn');
  await page.getByRole('button', { name: 'More' }).click();
  await expectSoundInEveryLook(page);
  await page.getByRole('button', { name: 'Reset Second Factor...' }).click();
  const asked = page.getByRole('dialog', { name: /^Reset the second factor of/ });
  await expectSoundInEveryLook(page);
  await asked.getByRole('button', { name: 'Reset', exact: true }).click();
  await expectToast(page, 'Second factor reset', `To ${email}.`);
  await expect(page.getByRole('region', { name: 'Profile' })).not.toContainText('Second factor');
  await expect.poll(() => subjectsTo(fresh, email)).toContain('Your second factor was reset');
});
