// A student's profile: fields, validation and unsaved changes.
import type { Page } from '@playwright/test';
import { asDemoStudent, endSession, logInAgain, signedIn } from '../actors.ts';
import { expectSoundInEveryLook } from '../looks.ts';
import { emails, linkTo } from '../mail.ts';
import { answer, disconnect } from '../network.ts';
import { expect, expectToast, test } from '../school.ts';

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Edit Profile' });
const save = (page: Page) => dialog(page).getByRole('button', { name: 'Save Changes' });
const fact = (page: Page, term: string) =>
  page.getByRole('tabpanel').locator('dl > div').filter({ has: page.getByText(term, { exact: true }) }).getByRole('definition');

async function openEdit(page: Page) {
  await page.goto('/student/dashboard?tab=profile');
  await page.getByRole('button', { name: 'Edit Profile' }).click();
  await expect(dialog(page)).toBeVisible();
}

const messages = {
  'Full name': 'Full name is required',
  'Date of birth': 'Date of birth is required',
  Gender: 'Gender is required',
  'Canadian status': 'Canadian status is required',
  Email: 'Invalid email address',
  'Phone number': 'Valid phone number required',
  Address: 'Address is required',
  City: 'City is required',
  Province: 'Province is required',
  'Postal code': 'Postal code is required',
};

test('an empty form names every rule in its words', async ({ page, school }) => {
  await signedIn(page, school, 'blank', null);
  await openEdit(page);
  await dialog(page).getByLabel('Email').fill('blank@');
  await dialog(page).getByLabel('Full name').fill(' ');
  await dialog(page).getByLabel('Phone number').fill('905555017');
  await save(page).click();
  const summary = dialog(page).getByRole('alert');
  await expect(summary).toBeFocused();
  await expect(summary.getByRole('link')).toHaveText(Object.values(messages));
  for (const [label, message] of Object.entries(messages)) {
    await expect(dialog(page).getByLabel(label)).toHaveAccessibleDescription(new RegExp(message));
  }
  await expectSoundInEveryLook(page);
  await summary.getByRole('link', { name: 'Province is required' }).click();
  await expect(dialog(page).getByLabel('Province')).toBeFocused();
  await expect(dialog(page).getByLabel('Province').getByRole('option')).toHaveText([
    'Select...', 'Alberta', 'British Columbia', 'Manitoba', 'New Brunswick', 'Newfoundland and Labrador', 'Nova Scotia',
    'Northwest Territories', 'Nunavut', 'Ontario', 'Prince Edward Island', 'Quebec', 'Saskatchewan', 'Yukon',
  ]);
  await dialog(page).getByLabel('Province').selectOption('Nunavut');
  await expect(dialog(page).getByLabel('Province')).not.toHaveAttribute('aria-invalid', 'true');
  await expect(dialog(page).getByText('(optional)')).toHaveCount(7);
});

test('an impossible year of birth and a phone number without digits are refused before sending', async ({ page, school }) => {
  await asDemoStudent(page, school);
  await openEdit(page);
  await expect(dialog(page)).toContainText('All fields are required unless they are marked optional.');
  await dialog(page).getByLabel('Phone number').fill('ask my mother');
  for (const born of ['2026-03-01', '1909-03-01', '0209-03-01', '2199-01-01']) {
    await dialog(page).getByLabel('Date of birth').fill(born);
    await save(page).click();
    await expect(dialog(page).getByRole('alert').getByRole('link')).toHaveText(['Please check the year of birth', 'Valid phone number required']);
  }
  await dialog(page).getByLabel('Date of birth').fill('2009-03-01');
  await expect(dialog(page).getByLabel('Date of birth')).not.toHaveAttribute('aria-invalid', 'true');
});

test('every field is shown, changed, and shown again', async ({ page, school }) => {
  await signedIn(page, school, 'writer');
  await openEdit(page);
  for (const [label, value] of Object.entries({
    'Full name': 'Søren Ångström',
    'Date of birth': '2008-02-29',
    'Phone number': '(867) 555-0101',
    Address: '1 Rue de l’Exemple',
    City: 'Iqaluit',
    'Postal code': 'x0a0h0',
    'Preferred name (optional)': 'Søs',
    'Parent name (optional)': 'Astrid Ångström',
    'Parent contact (optional)': 'astrid@mail.example',
    'Last school (optional)': 'École Example',
    'Last grade completed (optional)': '10',
  })) {
    await dialog(page).getByLabel(label).fill(value);
  }
  await dialog(page).getByLabel('Gender').selectOption('Male');
  await dialog(page).getByLabel('Canadian status').selectOption('Citizen');
  await dialog(page).getByLabel('Province').selectOption('Nunavut');
  await dialog(page).getByLabel('I am transferring credits from another school (optional)').check();
  const refetched = page.waitForResponse((response) => response.url().endsWith('/api/students/me') && response.request().method() === 'GET');
  await save(page).click();
  await refetched;
  await expectToast(page, 'Profile Updated', 'Your profile has been successfully updated.');
  await expect(page.getByRole('heading', { name: 'Profile', exact: true })).toBeFocused();
  await page.reload();
  for (const [term, value] of Object.entries({
    'Full name': 'Søren Ångström',
    'Preferred name': 'Søs',
    'Date of birth': 'Feb 29, 2008',
    Gender: 'Male',
    'Canadian status': 'Citizen',
    'Member since': /^[A-Z][a-z]+ \d{1,2}, \d{4}$/,
    Email: 'writer@mail.example',
    Phone: '(867) 555-0101',
    Address: '1 Rue de l’Exemple',
    City: 'Iqaluit',
    Province: 'Nunavut',
    'Postal code': 'X0A 0H0',
    'Parent name': 'Astrid Ångström',
    'Parent contact': 'astrid@mail.example',
    'Last school': 'École Example',
    'Last grade completed': '10',
    'Transferring credits': 'Yes',
  })) {
    await expect(fact(page, term)).toHaveText(value);
  }
});

test('a new address waits for its confirmation, and other changes leave it waiting', async ({ page, school }) => {
  const { password } = await signedIn(page, school, 'mover');
  await openEdit(page);
  await expect(dialog(page).getByLabel('Current password')).toHaveCount(0);
  await dialog(page).getByLabel('Email').fill('moved@mail.example');
  await save(page).click();
  const wanted = 'Please enter your current password to change your email address';
  await expect(page.getByRole('alert').getByRole('link', { name: wanted })).toBeVisible();
  await dialog(page).getByLabel('Current password').fill('not the password');
  await save(page).click();
  await expect(page.getByRole('alert').getByRole('link', { name: 'This is not your current password' })).toBeVisible();
  await expectSoundInEveryLook(page);
  await dialog(page).getByLabel('Current password').fill(password);
  await save(page).click();
  await expectToast(page, 'Profile Updated');
  const notice = 'We sent a link to moved@mail.example; until it is opened mover@mail.example stays in use.';
  await expect(page.getByText(notice)).toBeVisible();
  await expect(fact(page, 'Email')).toHaveText('mover@mail.example');
  await openEdit(page);
  await expect(dialog(page).getByLabel('Email')).toHaveValue('moved@mail.example');
  await dialog(page).getByLabel('City').fill('Ottawa');
  await expect.poll(() => emails(school, 'moved@mail.example').length).toBe(1);
  await save(page).click();
  await expectToast(page, 'Profile Updated');
  await expect(page.getByText(notice)).toBeVisible();
  expect(emails(school, 'moved@mail.example'), 'no second link').toHaveLength(1);
  await page.getByRole('button', { name: 'Send the Link Again' }).click();
  await expectToast(page, 'Link Sent', 'Please check the inbox of moved@mail.example.');
  await expect.poll(() => emails(school, 'moved@mail.example').length).toBe(2);
  const link = await linkTo(school, 'moved@mail.example', '/student/verify');
  await page.goto(link);
  await expect(page.getByText('Your email has been successfully verified!')).toBeVisible();
  await page.goto('/student/dashboard?tab=profile');
  await expect(fact(page, 'Email')).toHaveText('moved@mail.example');
  await expect(page.getByText(notice)).toHaveCount(0);
});

test('a changed email is undone, and the old one stays', async ({ page, school }) => {
  const { email, password } = await signedIn(page, school, 'stayer');
  await openEdit(page);
  await dialog(page).getByLabel('Email').fill('leaver@mail.example');
  await dialog(page).getByLabel('Current password').fill(password);
  await save(page).click();
  await expectToast(page, 'Profile Updated');
  await page.getByRole('button', { name: 'Keep the Old Address' }).click();
  await expectToast(page, 'Email Kept', `${email} stays the address of your account.`);
  await expect(page.getByText('We sent a link to')).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'Profile', exact: true })).toBeFocused();
});

test('server errors are shown at their fields; other failures say so and keep the input', async ({ page, school }) => {
  await signedIn(page, school, 'refused');
  await openEdit(page);
  const fields = { dateOfBirth: 'Date of birth must be in the past' };
  await answer(page, 'PATCH', '/api/students/me', { status: 400, json: { message: fields.dateOfBirth, fields } });
  await dialog(page).getByLabel('City').fill('Ottawa');
  await save(page).click();
  await expectToast(page, 'Update Failed', 'Date of birth must be in the past');
  await expect(dialog(page).getByLabel('Date of birth')).toHaveAccessibleDescription(/Date of birth must be in the past/);
  await page.unroute('**/api/students/me');
  await dialog(page).getByLabel('Date of birth').fill('2009-01-01');
  await answer(page, 'PATCH', '/api/students/me', { status: 500, body: '<html>boom</html>' });
  await save(page).click();
  await expectToast(page, 'Update Failed', 'Your profile could not be saved. Please try again.');
  await expect(dialog(page).locator('form')).toContainText('Your profile could not be saved. Please try again.');
  await expect(page.getByText('boom')).toHaveCount(0);
  await expect(dialog(page).getByLabel('Date of birth')).toHaveValue('2009-01-01');
  await page.unroute('**/api/students/me');
  await disconnect(page, '**/api/students/me', 'PATCH');
  await save(page).click();
  await expectToast(page, 'Update Failed', 'could not be reached');
});

test('unsaved changes ask before they are left, by any way out', async ({ page, school }) => {
  await asDemoStudent(page, school);
  await openEdit(page);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Edit Profile' })).toBeFocused();
  await page.getByRole('button', { name: 'Edit Profile' }).click();
  await dialog(page).getByLabel('City').fill('Ottawa');
  const question = page.getByRole('dialog', { name: 'Leave without saving?' });
  await expectSoundInEveryLook(page);
  for (const leave of [
    () => page.keyboard.press('Escape'),
    () => dialog(page).getByRole('button', { name: 'Cancel' }).click(),
    () => dialog(page).getByRole('button', { name: 'Close' }).first().click(),
  ]) {
    await leave();
    await question.getByRole('button', { name: 'Keep Editing' }).click();
    await expect(dialog(page).getByLabel('City')).toHaveValue('Ottawa');
  }
  await dialog(page).getByRole('button', { name: 'Cancel' }).click();
  await question.getByRole('button', { name: 'Discard Changes' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(fact(page, 'City')).toHaveText('Mississauga');
});

test('a session that ends during editing loses nothing', async ({ page, school }) => {
  const person = await signedIn(page, school, 'nodder');
  await openEdit(page);
  await dialog(page).getByLabel('Full name').fill('Nod Dernier');
  await endSession(page);
  await save(page).click();
  await logInAgain(page, person.password);
  await expect(dialog(page).getByLabel('Full name')).toHaveValue('Nod Dernier');
  await save(page).click();
  await expectToast(page, 'Profile Updated');
  await expect(page.getByRole('heading', { level: 1, name: 'Welcome, Nod Dernier' })).toBeVisible();
});
