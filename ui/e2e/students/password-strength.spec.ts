// The password strength hint; only the server refuses.
import { expectSoundInEveryLook } from '../looks.ts';
import { expect, expectToast, test } from '../school.ts';
import { button, field, fillNewPassword, fillRegistration, newEmail, openRegistration } from './account.ts';

test('the hint follows the input, is announced once, and blocks nothing', async ({ page }) => {
  await openRegistration(page);
  const filled = page.locator('.strength-meter .is-filled');
  const heard = page.locator('.strength').getByRole('status');
  await expect(field(page, 'Password')).toHaveAccessibleDescription(/^At least 8 characters\. Three or four unrelated words/);
  await field(page, 'Email').fill('amara.okonkwo@mail.example');
  for (const [typed, words, bars] of [
    ['heron', 'Too short: 3 more characters, at least.', 0],
    ['Password1!', 'Easy to guess: It is one of the most common passwords, or close to one.', 0],
    ['okonkwo2026', 'Easy to guess: It is made from a name that is easy to find out.', 0],
    ['Northgate-Academy', 'Easy to guess: It is made from a name that is easy to find out.', 0],
    ['xkzuiop98765', 'Weak: Avoid sequences like 1234, abcd or aaaa.', 1],
    ['ködermaus', 'Fair: Add a word or two.', 2],
    ['a quiet heron', 'Good: One more word makes it strong.', 3],
    ['an even quieter heron', 'Strong: Hard to guess.', 4],
  ] as const) {
    await field(page, 'Password').fill(typed);
    await expect(field(page, 'Password')).toHaveAccessibleDescription(`At least 8 characters. ${words}`);
    await expect(filled).toHaveCount(bars);
  }
  await expect(heard).toHaveText('Strong: Hard to guess.');
  await field(page, 'Password').fill('xkzuiop98765');
  await expectSoundInEveryLook(page);
  // Weak, but accepted.
  await fillRegistration(page, newEmail(), 'xkzuiop98765');
  await button(page, 'Register').click();
  await expectToast(page, 'Registration successful');
});

test('the server refuses what the hint says it refuses', async ({ page }) => {
  await openRegistration(page);
  await fillRegistration(page, 'amara.okonkwo@mail.example', 'okonkwo2026');
  await button(page, 'Register').click();
  await expect(page.locator('.field-error')).toContainText('made from a name that is easy to find out');
  await expect(page.locator('.strength')).toContainText('It is made from a name that is easy to find out.');
});

test('a password by a link has the hint too', async ({ page }) => {
  await page.goto('/student/reset-password/a-token');
  await fillNewPassword(page, 'Northgate2026');
  await expect(field(page, 'New Password')).toHaveAccessibleDescription(/It is made from a name that is easy to find out\.$/);
});
