// From an application to a place: a family on a phone without scripts, the office, and the family's answer.
import type { Page } from '@playwright/test';
import { enter } from '../actors.ts';
import { linkTo } from '../mail.ts';
import { hold } from '../network.ts';
import { expectSound, expectSoundInEveryLook } from '../looks.ts';
import { expect, expectToast, type School, test, untilLive, withoutScripts } from '../school.ts';

const address = 'tanaka@mail.example';
const state = (page: Page) => page.getByRole('region', { name: 'State and next steps' });

/** Opens the newest link of the family. */
async function openLink(page: Page, school: School) {
  const link = await linkTo(school, address, '/application');
  await page.goto(link);
  await expect(page.getByRole('heading', { level: 1, name: 'Mei Tanaka' })).toBeVisible();
}

test('a family applies without scripts, answers a question and accepts an offer', async ({ page, context, browser, fresh }) => {
  await withoutScripts(browser, async (plain) => {
    await plain.setViewportSize({ width: 390, height: 844 });
    await plain.goto(`${fresh.url}/apply`);
    for (const [id, text] of [['firstName', 'Mei'], ['lastName', 'Tanaka'], ['dateOfBirth', '2010-03-01'], ['email', address], ['phone', '+81 3 5555 0199'], ['address', '1 Sample']] as const) {
      await plain.locator(`#apply-${id}`).fill(text);
    }
    await plain.getByLabel('Grade to enter').selectOption('Grade 11');
    await plain.getByLabel('Country').selectOption('Japan');
    await plain.getByRole('checkbox', { name: /I agree/ }).check();
    await plain.getByRole('button', { name: 'Send Application' }).click();
    // Too soon for a person, or without a parent: in either case nothing is lost.
    await expect(plain.getByRole('alert')).toBeVisible();
    await expect(plain.getByLabel('Country')).toHaveValue('JP');
    await plain.locator('#apply-guardianName').fill('Emi Tanaka');
    await plain.locator('#apply-guardianEmail').fill('emi@mail.example');
    await expect(async () => {
      await plain.getByRole('button', { name: 'Send Again' }).click();
      await expect(plain.getByRole('heading', { name: 'We have your application' })).toBeVisible({ timeout: 500 });
    }).toPass();
    await expect(plain.getByText(/^A-\d\d-[0-9A-Z]{4}$/)).toBeVisible();
    await plain.getByRole('link', { name: 'ask for the link again' }).click();
    await plain.getByLabel('Email').fill(address);
    await plain.getByRole('button', { name: 'Send the Link' }).click();
    await expect(plain.getByRole('heading', { name: 'Check Your Inbox' })).toBeVisible();
  });

  const office = await context.newPage();
  await enter(office, fresh, '/admin/admission-requests');
  await office.getByRole('link', { name: 'View Request: Mei Tanaka' }).click();
  await office.getByRole('button', { name: 'Ask for Information…' }).click();
  await office.getByLabel('What should the family tell you or send?').fill('When do you arrive?');
  await office.getByRole('button', { name: 'Ask', exact: true }).click();
  await expect(state(office)).toContainText('info requested');

  await openLink(page, fresh);
  await expect(page.getByText('When do you arrive?')).toBeVisible();
  await expectSoundInEveryLook(page);
  await page.getByLabel('Your answer').fill('In August.');
  await page.getByRole('button', { name: 'Send Answer' }).click();
  await expectToast(page, 'Answer sent');

  // Two presses and the fee.
  await office.reload();
  await office.getByRole('button', { name: 'Offer a Place…' }).click();
  await office.getByLabel('Fee in dollars').fill('1,250.50');
  await office.getByLabel('Fee in dollars').press('Enter');
  await expect(state(office)).toContainText('offered');
  await expectSoundInEveryLook(office);

  await openLink(page, fresh);
  await expectSound(page);
  await page.getByRole('button', { name: 'Accept the Offer' }).click();
  await expect(page.getByRole('alert')).toContainText('Type your full name');
  await page.getByLabel('Your full name').fill('Emi Tanaka');
  await page.getByRole('checkbox', { name: /I accept/ }).check();
  // Held, so that the second click comes before the answer and cannot take the focus from it.
  const acceptance = await hold(page, '**/api/applications/me/accept');
  await page.getByRole('button', { name: 'Accept the Offer' }).dblclick();
  acceptance.release();
  await expect(page.getByText('The place is yours.')).toBeFocused();
  await office.reload();
  await expect(state(office)).toContainText('accepted');
  await expect(office.getByRole('region', { name: 'Admission', exact: true })).toContainText('$1,250.50');
});

test('the application with scripts is sound, wrong and sent, and asks which way is meant', async ({ page }) => {
  await page.goto('/apply');
  await untilLive(page);
  await expectSoundInEveryLook(page);
  await page.getByRole('button', { name: 'Send Application' }).click();
  await expect(page.getByRole('alert')).toBeFocused();
  await expectSoundInEveryLook(page);
  await page.setViewportSize({ width: 320, height: 640 });
  await expectSound(page);
  await page.goto('/apply?sent=A-26-7QK4');
  await expectSound(page);
  await page.goto('/application');
  await expectSound(page);
  await page.goto('/application/not-a-link');
  await expect(page.getByRole('heading', { name: 'This Link No Longer Works' })).toBeVisible();
  await expectSound(page);
});
