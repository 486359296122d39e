// Jane Doe on the phone: "did my transcript arrive, is it fine?", answered in six keys from any screen.
import type { Page } from '@playwright/test';
import { enter, newStudent, signIn } from '../actors.ts';
import { pdf } from '../documents/files.ts';
import { expectSoundInEveryLook } from '../looks.ts';
import { emails, subjectsTo } from '../mail.ts';
import { expect, test } from '../school.ts';

/** Opens her page, from wherever one is: the palette, four letters, Enter. */
async function sixKeys(page: Page) {
  const keys = ['/', 'j', 'n', 'a', 'e', 'Enter'];
  for (const key of keys) {
    if (key === 'Enter') await expect(page.getByRole('option', { name: /Jane Doe/ })).toHaveAttribute('aria-selected', 'true');
    await page.keyboard.press(key);
    if (key === '/') await expect(page.getByRole('combobox', { name: 'Students, applicants, courses' })).toBeFocused();
  }
  await expect(page.getByRole('heading', { level: 1, name: 'Jane Doe' })).toBeVisible();
}

test('her transcript has arrived, is rejected, and she reads why', async ({ browser, page, fresh }) => {
  const jane = await newStudent(fresh, 'jnae', { fullName: 'Jane Doe' });
  expect((await jane.calls.post('/api/students/documents', { multipart: { documentType: 'transcript', document: pdf('transcript.pdf') } })).ok()).toBe(true);
  const transcript = page.getByRole('region', { name: 'To Do' }).getByRole('listitem').filter({ hasText: /^School Transcript(?!:)/ });
  await enter(page, fresh, '/admin/mail');
  await expect(page.getByRole('heading', { level: 1, name: 'Mail' })).toBeVisible();
  await sixKeys(page);
  await expect(transcript).toContainText('Waiting for the office');
  await expectSoundInEveryLook(page);

  await page.goto(`${fresh.url}/admin/documents?status=pending_review`);
  await expect(page.getByRole('button', { name: 'Accept', exact: true })).toBeVisible();
  await page.keyboard.press('r');
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('1');
  await expect(page.getByRole('heading', { name: 'Nothing waits for review' })).toBeVisible();
  await sixKeys(page);
  await expect(transcript).toContainText('Rejected');

  await transcript.getByRole('link').click();
  await expect(page.getByRole('tab', { name: /^Documents/, selected: true })).toBeVisible();

  const subject = 'Please upload your document again: School Transcript';
  await expect.poll(() => subjectsTo(fresh, jane.email)).toContain(subject);
  expect(emails(fresh, jane.email).at(-1)).toContain('It cannot be read.');
  const phone = await (await browser.newContext({ viewport: { width: 390, height: 844 } })).newPage();
  await signIn(phone, jane);
  await phone.goto(`${fresh.url}/student/dashboard?tab=documents`);
  await expect(phone.getByText('It cannot be read.').first()).toBeVisible();
});
