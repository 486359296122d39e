// Site settings: drafting, previewing, publishing and restoring.
import type { Page } from '@playwright/test';
import { asRole, asStaff, enter } from '../actors.ts';
import { expectSoundInEveryLook } from '../looks.ts';
import { expect, expectToast, type School, test } from '../school.ts';
import { picture } from './pictures.ts';

async function open(page: Page, school: School) {
  await asStaff(page, school);
  await page.goto(`${school.url}/admin/settings`);
  await expect(page.getByRole('heading', { level: 2, name: 'Announcement' })).toBeVisible();
}

const part = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

async function publish(page: Page, note = '') {
  await page.getByRole('button', { name: 'Publish...' }).click();
  const dialog = page.getByRole('dialog', { name: 'Publish' });
  await dialog.getByLabel('Note (optional)').fill(note);
  await dialog.getByRole('button', { name: 'Publish', exact: true }).click();
  await expect(dialog).toHaveCount(0);
  await expectToast(page, 'Published');
}

test('an announcement, a question and a picture are drafted, previewed and published', async ({ page, context, fresh }) => {
  await open(page, fresh);
  const announcement = part(page, 'Announcement');
  await announcement.getByLabel('Text', { exact: true }).fill('Open house on Saturday');
  await announcement.getByLabel('Link text (optional)').fill('Register');
  await announcement.getByLabel('Link address').fill('/contact');
  await expect(announcement.getByText('Shows today')).toBeVisible();
  await part(page, 'Questions and Answers').getByRole('button', { name: 'Add a Question' }).click();
  await expect(page.getByLabel('Question', { exact: true })).toBeFocused();
  await page.keyboard.type('Do credits count everywhere?');
  await page.getByLabel('Answer', { exact: true }).fill('They do.');
  await page.locator('#settings-hero-picture').setInputFiles(picture('house.png', 960, 640, [40, 90, 160]));
  await expect(part(page, 'Hero Picture').getByLabel('What it shows')).toBeFocused();
  await page.keyboard.type('The house in autumn');
  await expect(part(page, 'Hero Picture').getByRole('img', { name: 'The house in autumn' })).toBeVisible();
  await expectSoundInEveryLook(page);

  const opening = context.waitForEvent('page');
  await page.getByRole('button', { name: 'Preview' }).click();
  const preview = await opening;
  await expect(preview.getByText('Preview: visitors do not see this yet.')).toBeVisible();
  await expect(preview.locator('.announcement').last()).toContainText('Open house on Saturday');
  await expectSoundInEveryLook(preview);
  await expect(page.getByText('Saved and not published: Announcement, Questions and Hero picture.')).toBeVisible();
  await preview.goto(fresh.url);
  await expect(preview.locator('.announcement')).toHaveCount(0);

  await page.getByRole('button', { name: 'Publish...' }).click();
  const dialog = page.getByRole('dialog', { name: 'Publish' });
  await expect(dialog.getByRole('listitem')).toHaveText(['Announcement', 'Questions', 'Hero picture']);
  await expectSoundInEveryLook(page);
  await dialog.getByLabel('Note (optional)').fill('The open house');
  await dialog.getByRole('button', { name: 'Publish', exact: true }).click();
  await expectToast(page, 'Published');
  await expect(part(page, 'History').getByRole('listitem')).toContainText(['What visitors see']);
  await preview.goto(fresh.url);
  await expect(preview.getByRole('complementary', { name: 'Announcement' })).toContainText('Open house on Saturday');
  await expect(preview.getByRole('link', { name: 'Register', exact: true })).toBeVisible();
  await expectSoundInEveryLook(preview);

  // The audit trail has the publication.
  await page.goto(`${fresh.url}/admin/audit?object=site`);
  await expect(page.getByRole('row', { name: /published site/ })).toContainText('principal');
});

test('colours are previewed, published, and restored from the history', async ({ page, context, fresh }) => {
  await open(page, fresh);
  await page.getByLabel('Main colour', { exact: true }).fill('7A0019');
  const sample = page.getByRole('img', { name: 'A sample in light' });
  const ofSample = await sample.evaluate((element) => getComputedStyle(element).getPropertyValue('--navy'));
  await publish(page, 'Maroon');
  const visit = await context.newPage();
  await visit.goto(fresh.url);
  expect(await visit.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--navy')), 'as the sample said').toBe(ofSample);
  await page.getByRole('button', { name: 'Back to the School’s Navy and Brass' }).click();
  await expect(page.getByRole('heading', { name: 'Colours' })).toBeFocused();
  await publish(page, 'Navy again');

  const history = part(page, 'History');
  await expect(history.getByRole('listitem')).toHaveCount(2);
  await expect(history.getByRole('listitem').first()).toContainText('What visitors see');
  const maroon = history.getByRole('listitem').filter({ hasText: 'Maroon' });
  const opening = context.waitForEvent('page');
  await maroon.getByRole('button', { name: /^View/ }).click();
  await expect((await opening).getByText('Preview: visitors do not see this yet.')).toBeVisible();
  // Unsaved changes are asked about.
  await part(page, 'Announcement').getByLabel('Text', { exact: true }).fill('Not saved');
  await maroon.getByRole('button', { name: /^Restore/ }).click();
  const question = page.getByRole('dialog', { name: 'Restore This Version?' });
  await expectSoundInEveryLook(page);
  await question.getByRole('button', { name: 'Restore' }).click();
  await expectToast(page, 'Restored as the draft');
  await expect(page.getByLabel('Main colour', { exact: true })).toHaveValue('#7a0019');
  await expect(part(page, 'Announcement').getByLabel('Text', { exact: true })).toHaveValue('');
  await page.getByRole('button', { name: 'Discard Changes' }).click();
  const discard = page.getByRole('dialog', { name: 'Discard Changes?' });
  await expect(discard).toContainText('Colours');
  await discard.getByRole('button', { name: 'Discard Changes' }).click();
  await expectToast(page, 'Changes discarded');
  await expect(page.getByLabel('Main colour', { exact: true })).toHaveValue('');
  await expect(page.getByRole('heading', { name: 'Announcement' })).toBeFocused();
  await page.getByRole('button', { name: 'Publish...' }).click();
  await expectToast(page, 'There is nothing new to publish');
});

test('a registrar has no such page', async ({ page, school }) => {
  await asRole(page, 'registrar', ['courses']);
  await enter(page, school, '/admin/settings');
  await expect(page.getByText('You don’t have access to Site Settings', { exact: false })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Site Settings' })).toHaveCount(0);
});
