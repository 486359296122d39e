// The office's second factor: setup, login, recovery and turning off.
import { asStaff } from '../actors.ts';
import { expectSoundInEveryLook } from '../looks.ts';
import { subjectsTo } from '../mail.ts';
import { expect, expectToast, openSchool, type School, test } from '../school.ts';
import { card, codeOf, setUp } from '../second-factor.ts';

test('an app is set up, its code logs in, and a recovery code does when it is lost', async ({ page, fresh }) => {
  await asStaff(page, fresh);
  await page.goto(`${fresh.url}/admin/account`);
  await expectSoundInEveryLook(page);
  await card(page).getByRole('button', { name: 'Set Up' }).click();
  await expect(card(page).getByRole('img', { name: /QR code/ })).toBeVisible();
  await card(page).getByRole('button', { name: 'Turn On' }).click();
  await expect(card(page).getByText('Code is required').first()).toBeVisible();
  await expectSoundInEveryLook(page);
  await card(page).getByLabel('Code', { exact: true }).fill('000000');
  await card(page).getByLabel('Your Password', { exact: true }).fill(fresh.staff.password);
  await card(page).getByRole('button', { name: 'Turn On' }).click();
  await expect(card(page).getByText(/This code is not right/).first()).toBeVisible();
  await card(page).getByRole('button', { name: 'Cancel', exact: true }).click();
  const { secret, codes } = await setUp(page, fresh.staff.password);
  await expectSoundInEveryLook(page);
  const saving = page.waitForEvent('download');
  await card(page).getByRole('button', { name: 'Save as Text' }).click();
  expect((await saving).suggestedFilename()).toBe(`recovery-codes-${fresh.staff.username}.txt`);
  await card(page).getByRole('button', { name: 'I Have Saved Them' }).click();
  await expect(card(page)).toContainText('10 recovery codes are left');
  await expect.poll(() => subjectsTo(fresh, 'principal@northgate.example')).toContain('Your second factor is set up');

  // The login keeps its input when going back.
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(page).toHaveURL(/\/admin\/login$/);
  const password = page.getByLabel('Password', { exact: true });
  await page.getByLabel('Username').fill(fresh.staff.username);
  await password.fill(fresh.staff.password);
  await page.getByRole('button', { name: 'Login', exact: true }).click();
  const code = page.getByLabel('Code', { exact: true });
  await expect(code).toBeFocused();
  await expect(code).toHaveAttribute('autocomplete', 'one-time-code');
  await expect(code).toHaveAttribute('inputmode', 'numeric');
  await expectSoundInEveryLook(page);
  await page.getByRole('button', { name: 'Back to the password' }).click();
  await expect(password).toHaveValue(fresh.staff.password);
  await page.getByRole('button', { name: 'Login', exact: true }).click();
  await code.fill('000000');
  await code.press('Enter');
  await expect(code).toHaveAccessibleDescription(/This code is not right/);
  await expectSoundInEveryLook(page);
  await code.fill(codeOf(secret, 1));
  await code.press('Enter');
  await expectToast(page, 'Login successful', 'Welcome to the admin portal');

  // The phone is lost.
  await page.context().clearCookies();
  await page.goto(`${fresh.url}/admin/account`);
  await page.getByLabel('Username').fill(fresh.staff.username);
  await password.fill(fresh.staff.password);
  await password.press('Enter');
  await page.getByRole('button', { name: 'Use a recovery code instead' }).click();
  await expect(page.getByLabel('Recovery Code')).toBeFocused();
  await expectSoundInEveryLook(page);
  await page.getByLabel('Recovery Code').fill(codes[0] ?? '');
  await page.getByRole('button', { name: 'Login', exact: true }).click();
  await expect(card(page)).toContainText('9 recovery codes are left');
  await card(page).getByRole('button', { name: 'Turn Off...' }).click();
  const off = page.getByRole('dialog', { name: 'Turn Off the Second Factor' });
  await off.getByRole('button', { name: 'Use a recovery code instead' }).click();
  await off.getByLabel('Recovery Code').fill(codes[1] ?? '');
  await off.getByLabel('Your Password', { exact: true }).fill(fresh.staff.password);
  await expectSoundInEveryLook(page);
  await off.getByRole('button', { name: 'Turn Off', exact: true }).click();
  await expectToast(page, 'Your second factor is turned off');
  await expect(card(page).getByRole('button', { name: 'Set Up' })).toBeVisible();
});

const strict = test.extend<{ strict: School }>({
  /** A school that requires a second factor of administrators. */
  strict: ({}, use) => openSchool(use, { SCHOOLHOUSE_OFFICE_SECOND_FACTOR_REQUIRED: '["admin"]' }),
});

strict('a role that requires a second factor is led to set it up, then continues', async ({ page, strict: school }) => {
  await asStaff(page, school);
  await page.goto(`${school.url}/admin/staff`);
  await expect(page).toHaveURL(/\/admin\/account$/);
  await expect(page.getByText('Please set up a second factor first')).toBeVisible();
  await expectSoundInEveryLook(page);
  await setUp(page, school.staff.password);
  await card(page).getByRole('button', { name: 'I Have Saved Them' }).click();
  await expect(page.getByText('Please set up a second factor first')).toHaveCount(0);
  await page.getByRole('navigation', { name: 'Office', exact: true }).getByRole('link', { name: 'Staff' }).click();
  await expect(page.getByRole('row', { name: /principal/ })).toContainText('On');
});
