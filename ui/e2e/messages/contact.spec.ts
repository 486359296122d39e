// The contact form, from an empty one to an email in the spool.
import type { Page } from '@playwright/test';
import { expectSound, expectSoundInEveryLook, looks } from '../looks.ts';
import { emails } from '../mail.ts';
import { disconnect, hold } from '../network.ts';
import { expect, test } from '../school.ts';

async function fill(page: Page, email: string) {
  await page.getByLabel('Name').fill('Zoë Tremblay');
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByLabel('Subject').selectOption({ label: 'Course Information' });
  await page.getByRole('textbox', { name: 'Message' }).fill('Which courses start in February?');
}

for (const width of [1280, 390]) {
  test(`an empty form names every rule and takes the focus there at ${width}`, async ({ page }) => {
    await page.setViewportSize({ width, height: 900 });
    await page.goto('/contact');
    await page.getByRole('button', { name: 'Send Message' }).click();
    const summary = page.getByRole('alert').first();
    await expect(summary).toBeFocused();
    for (const message of [
      'Name must be at least 2 characters',
      'Please enter a valid email address',
      'Please select a subject',
      'Message must be at least 10 characters',
    ]) {
      await expect(summary.getByRole('link', { name: message })).toBeVisible();
    }
    await expect(page.getByLabel('Name')).toHaveAccessibleDescription('Name must be at least 2 characters');
    await expect(page.getByLabel('Name')).toHaveAttribute('aria-invalid', 'true');
    await expectSoundInEveryLook(page, looks.filter((look) => look.width === width));
    await summary.getByRole('link', { name: 'Please select a subject' }).click();
    await expect(page.getByLabel('Subject')).toBeFocused();
    await page.getByLabel('Name').fill('Zo');
    await expect(page.getByLabel('Name')).not.toHaveAttribute('aria-invalid', 'true');
  });
}

test('a message is sent, confirmed, and another can be written', async ({ page, school }) => {
  await page.goto('/contact');
  await fill(page, 'zoe@mail.example');
  await page.getByLabel('Phone (optional)').fill('+1 (514) 555-0100');
  await page.getByRole('button', { name: 'Send Message' }).click();
  await expect(page.getByRole('heading', { name: 'Message Sent' })).toBeFocused();
  await expect(page.getByText('Thank you for your message. A confirmation email has been sent to your inbox.')).toBeVisible();
  await expectSound(page);
  await expect.poll(() => emails(school, 'zoe@mail.example').length).toBe(1);
  await expect.poll(() => emails(school, 'office@northgate.example').filter((text) => text.includes('zoe@mail.example')).length).toBe(1);
  await page.getByRole('button', { name: 'Send Another Message' }).click();
  await expect(page.getByLabel('Name')).toHaveValue('');
  await expect(page.getByRole('textbox', { name: 'Message' })).toHaveValue('');
});

test('while it is sent the button says so, and a second click or Enter sends nothing more', async ({ page }) => {
  const held = await hold(page, '**/api/contact');
  await page.goto('/contact');
  await fill(page, 'twice@mail.example');
  await page.getByRole('button', { name: 'Send Message' }).dblclick();
  const pending = page.getByRole('button', { name: 'Sending...' });
  await expect(pending).toBeVisible();
  await pending.click({ force: true });
  await page.getByLabel('Name').press('Enter');
  held.release();
  await expect(page.getByRole('heading', { name: 'Message Sent' })).toBeVisible();
  expect(held.count()).toBe(1);
});

for (const [name, answer] of [
  ['an error of the server', { status: 500, body: '<html>boom</html>' }],
  ['too many messages', { status: 429, headers: { 'retry-after': '120' }, json: { message: 'Too many attempts. Please wait 2 minutes, then try again.' } }],
] as const) {
  test(`${name} is reported and loses nothing`, async ({ page }) => {
    await page.route('**/api/contact', (route) => route.fulfill(answer));
    await page.goto('/contact');
    await fill(page, 'kept@mail.example');
    await page.getByRole('button', { name: 'Send Message' }).click();
    await expect(page.getByRole('alert').first()).toContainText(/not sent|Too many/);
    await expect(page.getByText('boom')).toHaveCount(0);
    await expect(page.getByRole('textbox', { name: 'Message' })).toHaveValue('Which courses start in February?');
    await expect(page.getByLabel('Subject')).toHaveValue('courses');
    await expectSound(page);
    await page.unroute('**/api/contact');
    await page.getByRole('button', { name: 'Send Message' }).click();
    await expect(page.getByRole('heading', { name: 'Message Sent' })).toBeVisible();
  });
}

test('without a network it says so and keeps what was written', async ({ page }) => {
  await page.goto('/contact');
  await fill(page, 'offline@mail.example');
  await disconnect(page, '**/api/contact');
  await page.getByRole('button', { name: 'Send Message' }).click();
  await expect(page.getByRole('alert').first()).toContainText('could not be reached');
  await expect(page.getByRole('textbox', { name: 'Message' })).toHaveValue('Which courses start in February?');
});

test('a server error is shown at its field', async ({ page }) => {
  await page.route('**/api/contact', (route) =>
    route.fulfill({ status: 400, json: { message: 'Please correct it.', fields: { phone: 'Must be at most 50 characters' } } }),
  );
  await page.goto('/contact');
  await fill(page, 'refused@mail.example');
  await page.getByRole('button', { name: 'Send Message' }).click();
  await expect(page.getByLabel('Phone (optional)')).toHaveAccessibleDescription(/Must be at most 50 characters/);
});

test('the keyboard alone writes and sends', async ({ page }) => {
  await page.goto('/contact');
  await page.getByLabel('Name').focus();
  await page.keyboard.type('Kim Park');
  await page.keyboard.press('Tab');
  await page.keyboard.type('kim@mail.example');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Adm');
  await page.keyboard.press('Tab');
  await page.keyboard.type('May I visit the school next week?');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Message Sent' })).toBeVisible();
});
