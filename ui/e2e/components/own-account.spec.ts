// The account pages of students and staff: password and devices.
import { enter, signedIn } from '../actors.ts';
import { expectSoundInEveryLook } from '../looks.ts';
import { expect, expectToast, test } from '../school.ts';

const iPhone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1';
const NEW = 'an even quieter heron';

test('a student sees their devices and signs the other one out', async ({ page, browser, school }) => {
  const { email, password } = await signedIn(page, school, 'devices');
  const phone = await browser.newContext({ userAgent: iPhone });
  const login = { data: { email, password }, headers: { Origin: school.url } };
  expect((await phone.request.post(`${school.url}/api/students/login`, login)).ok()).toBe(true);

  await page.goto('/student/dashboard');
  await page.getByRole('navigation', { name: 'Student portal' }).getByRole('link', { name: 'Account' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Your Account' })).toBeFocused();
  const devices = page.getByRole('region', { name: 'Signed-In Devices' });
  await expect(devices.getByRole('listitem').filter({ hasText: 'iPhone' })).toBeVisible();
  await expectSoundInEveryLook(page);
  await devices.getByRole('listitem').filter({ hasText: 'iPhone' }).getByRole('button', { name: 'Sign out' }).click();
  await expectToast(page, 'Device signed out');
  await expect(devices.getByRole('listitem').filter({ hasText: 'iPhone' })).toHaveCount(0);
  await expect(devices.getByRole('heading', { name: 'Signed-In Devices' })).toBeFocused();
  expect((await phone.request.get(`${school.url}/api/students/me`)).status()).toBe(401);
  expect((await page.request.get(`${school.url}/api/students/me`)).status()).toBe(200);

  expect((await phone.request.post(`${school.url}/api/students/login`, login)).ok()).toBe(true);
  await page.reload();
  await page.getByRole('button', { name: 'Sign out everywhere else' }).click();
  const asking = page.getByRole('dialog', { name: 'Sign Out Everywhere Else' });
  await expectSoundInEveryLook(page);
  await asking.getByRole('button', { name: 'Sign Out', exact: true }).click();
  await expectToast(page, 'Signed out everywhere else');
  await expect(devices.getByText('You are not signed in on any other device.')).toBeVisible();
  await phone.close();
});

test('a password change needs the current one and keeps only this browser signed in', async ({ page, browser, school }) => {
  const person = await signedIn(page, school, 'changer');
  const other = await browser.newContext();
  const login = { data: { email: person.email, password: person.password }, headers: { Origin: school.url } };
  expect((await other.request.post(`${school.url}/api/students/login`, login)).ok()).toBe(true);
  await page.goto('/student/account');
  const form = page.getByRole('region', { name: 'Password', exact: true });
  const fill = async (current: string, next: string) => {
    await form.getByLabel('Current Password', { exact: true }).fill(current);
    await form.getByLabel('New Password', { exact: true }).fill(next);
    await form.getByLabel(/^(Confirm|Repeat)/).first().fill(next);
    await form.getByRole('button', { name: 'Change Password' }).click();
  };
  await fill('not the one I had', NEW);
  await expect(form.getByLabel('Current Password', { exact: true })).toHaveAttribute('aria-invalid', 'true');
  await expect(form.getByLabel('New Password', { exact: true })).toHaveValue(NEW);
  await expectSoundInEveryLook(page);
  await fill(person.password, NEW);
  await expectToast(page, 'Password changed');
  expect((await other.request.get(`${school.url}/api/students/me`)).status()).toBe(401);
  expect((await page.request.get(`${school.url}/api/students/me`)).status()).toBe(200);
  await other.close();
});

test('the office has the same account page, and it is sound', async ({ page, school }) => {
  await enter(page, school, '/admin/account');
  await expect(page.getByRole('heading', { level: 1, name: 'Your Account' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Signed-In Devices' }).getByText('This device')).toBeVisible();
  await expectSoundInEveryLook(page);
});
