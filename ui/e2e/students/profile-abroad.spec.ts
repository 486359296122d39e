// A profile from abroad: the country determines the fields.
import type { Page } from '@playwright/test';
import { signedIn } from '../actors.ts';
import { expectSoundInEveryLook } from '../looks.ts';
import { expect, expectToast, test } from '../school.ts';

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Edit Profile' });
const field = (page: Page, label: string) => dialog(page).getByLabel(label, { exact: true });
const save = (page: Page) => dialog(page).getByRole('button', { name: 'Save Changes' });
const fact = (page: Page, term: string) =>
  page.getByRole('tabpanel').locator('dl > div', { hasText: term }).getByRole('definition');

async function openEdit(page: Page) {
  await page.goto('/student/dashboard?tab=profile');
  await page.getByRole('button', { name: 'Edit Profile' }).click();
  await expect(dialog(page)).toBeVisible();
}

async function fillPerson(page: Page) {
  for (const [label, value] of Object.entries({
    'Full name': '陳 大文', 'Date of birth': '2009-03-01', 'Phone number': '+852 5555 0142',
    Address: '彌敦道 1 號', City: 'Kowloon', 'Parent name (optional)': '陳 小明',
  })) {
    await field(page, label).fill(value);
  }
  await field(page, 'Gender').selectOption('Male');
  await field(page, 'Canadian status').selectOption('International student');
}

for (const width of [1280, 390]) {
  test(`a profile is completed from abroad, without a province or a postal code, at ${width}`, async ({ page, school }) => {
    await page.setViewportSize({ width, height: 844 });
    await signedIn(page, school, `abroad-${width}`, null);
    await openEdit(page);
    await expect(field(page, 'Country')).toHaveValue('CA');
    await expect(field(page, 'Country').getByRole('option').nth(1), 'where most are comes first').toHaveText('Canada');
    // On a phone a section without anything missing is folded.
    await expect(field(page, 'Parent name (optional)')).toBeVisible({ visible: width > 640 });
    if (width < 640) await dialog(page).getByText('Parent or guardian', { exact: true }).click();
    await fillPerson(page);
    await field(page, 'Province').selectOption('Ontario');
    await save(page).click();
    await expect(dialog(page).getByRole('alert').getByRole('link')).toHaveText(['Postal code is required']);

    await field(page, 'Country').selectOption('HK');
    await expect(field(page, 'Province')).toHaveCount(0);
    await expect(field(page, 'Postal code')).toHaveCount(0);
    await expect(field(page, 'State or province (optional)'), 'Ontario is no state of Hong Kong').toHaveValue('');
    await expect(field(page, 'Postal code (optional)')).toBeVisible();
    await expect(field(page, 'Full name'), 'nothing typed is lost').toHaveValue('陳 大文');
    await expect(field(page, 'City')).toHaveValue('Kowloon');
    await expectSoundInEveryLook(page);
    await page.setViewportSize({ width, height: 844 });
    await save(page).click();
    await expectToast(page, 'Profile Updated');
    for (const [term, value] of Object.entries({
      Country: /^Hong Kong/, City: 'Kowloon', Province: 'Not provided', 'Postal code': 'Not provided', Phone: '+852 5555 0142',
    })) {
      await expect(fact(page, term)).toHaveText(value);
    }
    await page.getByRole('tab', { name: 'Overview' }).click();
    await expect(page.getByRole('tabpanel')).toContainText('Hong Kong');
  });
}

test('a state and a postal code are kept as written abroad, and Canada’s rules return with Canada', async ({ page, school }) => {
  await signedIn(page, school, 'mover-abroad');
  await openEdit(page);
  await field(page, 'Country').selectOption('United Kingdom');
  await field(page, 'State or province (optional)').fill('Greater London');
  await field(page, 'Postal code (optional)').fill('sw1a 1aa');
  await save(page).click();
  await expectToast(page, 'Profile Updated');
  await expect(fact(page, 'Province')).toHaveText('Greater London');
  await expect(fact(page, 'Postal code')).toHaveText('sw1a 1aa');

  await page.getByRole('button', { name: 'Edit Profile' }).click();
  await expect(field(page, 'State or province (optional)')).toHaveValue('Greater London');
  await field(page, 'Country').selectOption('Canada');
  await expect(field(page, 'Province')).toHaveValue('');
  await field(page, 'Postal code').fill('');
  await save(page).click();
  const summary = dialog(page).getByRole('alert');
  await expect(summary).toBeFocused();
  await expect(summary.getByRole('link')).toHaveText(['Province is required', 'Postal code is required']);
  await summary.getByRole('link', { name: 'Province is required' }).click();
  await expect(field(page, 'Province')).toBeFocused();
  await field(page, 'Province').selectOption('Nunavut');
  await field(page, 'Postal code').fill('x0a0h0');
  await save(page).click();
  await expectToast(page, 'Profile Updated');
  await expect(fact(page, 'Country')).toHaveText('Canada');
  await expect(fact(page, 'Postal code')).toHaveText('X0A 0H0');
});

test('a server error about a field abroad is shown at that field', async ({ page, school }) => {
  await signedIn(page, school, 'refused-abroad');
  await openEdit(page);
  await field(page, 'Country').selectOption('Germany');
  await field(page, 'State or province (optional)').fill('B'.repeat(300));
  await save(page).click();
  const summary = dialog(page).getByRole('alert');
  await expect(summary).toBeFocused();
  await expect(field(page, 'State or province (optional)')).toHaveAttribute('aria-invalid', 'true');
  await expect(field(page, 'State or province (optional)')).toHaveValue('B'.repeat(300));
  await expectSoundInEveryLook(page);
  await field(page, 'Country').selectOption('');
  await save(page).click();
  await expect(field(page, 'Country')).toHaveAccessibleDescription(/Country is required/);
});
