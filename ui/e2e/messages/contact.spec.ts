// The contact form, from an empty one to an email in the spool.
import { expectSound, expectSoundInEveryLook } from '../looks.ts';
import { emails } from '../mail.ts';
import { expect, test } from '../school.ts';

test('an empty form names every rule and takes the focus there, in every look', async ({ page }) => {
  await page.goto('/contact');
  await page.getByRole('button', { name: 'Send Message' }).click();
  const summary = page.getByRole('alert').first();
  await expect(summary).toBeFocused();
  await expect(summary.getByRole('link')).toHaveCount(4);
  await expectSoundInEveryLook(page);
  await summary.getByRole('link', { name: 'Please select a subject' }).click();
  await expect(page.getByLabel('Subject')).toBeFocused();
});

test('a message is sent after a failure, confirmed, and another can be written', async ({ page, school }) => {
  await page.route('**/api/contact', (route) => route.fulfill({ status: 500, body: '<html>boom</html>' }));
  await page.goto('/contact');
  await page.getByLabel('Name').fill('Zoë Tremblay');
  await page.getByLabel('Email', { exact: true }).fill('zoe@mail.example');
  await page.getByLabel('Phone (optional)').fill('+1 (514) 555-0100');
  await page.getByLabel('Subject').selectOption({ label: 'Course Information' });
  await page.getByRole('textbox', { name: 'Message' }).fill('Which courses start in February?');
  await page.getByRole('button', { name: 'Send Message' }).click();
  await expect(page.getByRole('alert').first()).toContainText('not sent');
  await expect(page.getByText('boom')).toHaveCount(0);
  await expectSound(page);
  await page.unroute('**/api/contact');
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
