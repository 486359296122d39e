// A student's document storage: usage, limits and removal.
import type { Page } from '@playwright/test';
import { newStaff, signedIn } from '../actors.ts';
import { expectSoundInEveryLook } from '../looks.ts';
import { answer, hold } from '../network.ts';
import { expect, expectToast, openSchool, type School, test } from '../school.ts';
import { pdf } from './files.ts';

const tab = '/student/dashboard?tab=documents';
const rows = (page: Page) => page.getByRole('tabpanel').getByRole('listitem');
const question = (page: Page) => page.getByRole('dialog', { name: 'Remove this document?' });

async function give(person: Awaited<ReturnType<typeof signedIn>>, documentType: string, name: string): Promise<number> {
  const sent = await person.calls.post('/api/students/documents', { multipart: { documentType, document: pdf(name) } });
  expect(sent.status()).toBe(201);
  return ((await sent.json()) as { id: number }).id;
}

test('a document that the office has not opened is removed after a question, and frees its space', async ({ page, school }) => {
  const person = await signedIn(page, school, 'remover');
  await give(person, 'transcript', 'kept.pdf');
  await give(person, 'other', 'wrong.pdf');
  await page.goto(tab);
  await expect(page.getByText('2 of 50 documents used, 4 KB of 100 MB.')).toBeVisible();
  const wrong = rows(page).filter({ hasText: 'wrong.pdf' });
  await wrong.getByRole('button', { name: 'Remove' }).click();
  await expect(question(page)).toContainText('wrong.pdf (Other Document) is removed from your list. The office sees in your history that you removed it.');
  await expectSoundInEveryLook(page);
  await page.keyboard.press('Escape');
  await expect(question(page)).toHaveCount(0);
  await expect(wrong.getByRole('button', { name: 'Remove' })).toBeFocused();
  await expect(rows(page)).toHaveCount(2);

  await page.keyboard.press('Enter');
  let requests = 0;
  page.on('request', (request) => (requests += request.method() === 'DELETE' ? 1 : 0));
  // Held, or the second click may come after the question and take the focus from where it was moved.
  const removal = await hold(page, '**/api/students/documents/*', 'DELETE');
  await question(page).getByRole('button', { name: 'Remove' }).dblclick();
  removal.release();
  await expectToast(page, 'Document Removed', 'wrong.pdf has been removed.');
  expect(requests).toBe(1);
  await expect(rows(page)).toHaveCount(1);
  await expect(page.getByRole('heading', { name: 'Documents', exact: true })).toBeFocused();
  await expect(page.getByText('1 of 50 documents used, 2 KB of 100 MB.')).toBeVisible();
  await rows(page).getByRole('button', { name: 'Remove' }).click();
  await question(page).getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByRole('heading', { name: 'No documents yet' })).toBeVisible();
  await expect(page.getByText('0 of 50 documents used')).toBeVisible();
});

test('a document that the office has just opened stays, and the student is told why', async ({ page, school }) => {
  const person = await signedIn(page, school, 'seen');
  const id = await give(person, 'transcript', 'seen.pdf');
  await page.goto(tab);
  await rows(page).getByRole('button', { name: 'Remove' }).click();
  expect((await (await newStaff(school)).get(`/api/documents/${id}`)).ok()).toBe(true);
  await question(page).getByRole('button', { name: 'Remove' }).click();
  await expectToast(page, 'Removal Failed', 'The office has looked at this document already, so it stays in your file.');
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page).getByRole('button', { name: 'Remove' })).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'Documents', exact: true })).toBeFocused();
});

test('a student without space left is told what to do before choosing a file', async ({ page, school }) => {
  const person = await signedIn(page, school, 'full');
  await give(person, 'other', 'last.pdf');
  const refusal = 'You have 50 documents, which is the maximum. Please remove a document that the office has not looked at yet, or write to the office.';
  await answer(page, 'GET', '/api/students/documents/usage', {
    json: { files: 50, bytes: 90_000_000, maxFiles: 50, maxBytes: 104_857_600, refusal },
  });
  await page.goto(tab);
  await expect(page.getByText(refusal)).toBeVisible();
  await expect(page.getByText('50 of 50 documents used, 85.9 MB of 100 MB.')).toBeVisible();
  const upload = page.getByRole('button', { name: 'Upload New Document' });
  await expect(upload).toHaveAccessibleDescription(new RegExp(refusal.slice(0, 40)));
  await expectSoundInEveryLook(page);
  await upload.click({ force: true });
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('a file larger than the space left is refused before it is sent', async ({ page, school }) => {
  await signedIn(page, school, 'tight');
  let requests = 0;
  page.on('request', (request) => (requests += request.method() === 'POST' ? 1 : 0));
  await answer(page, 'GET', '/api/students/documents/usage', {
    json: { files: 9, bytes: 103_000_000, maxFiles: 50, maxBytes: 104_857_600, refusal: null },
  });
  await page.goto(tab);
  await expect(page.getByText('9 of 50 documents used, 98.3 MB of 100 MB.')).toBeVisible();
  await page.getByRole('button', { name: 'Upload New Document' }).click();
  const dialog = page.getByRole('dialog', { name: 'Upload New Document' });
  await dialog.getByLabel('Document type').selectOption('Other Document');
  await dialog.getByLabel('File').setInputFiles(pdf('scan.pdf', 3_000_000));
  await expect(dialog.locator('.field-error')).toHaveText(
    '“scan.pdf” is 2.9 MB, and your documents take up 98.3 MB of 100 MB. Please choose a smaller file, or remove a document that the office has not looked at yet.',
  );
  await dialog.getByRole('button', { name: 'Upload', exact: true }).click();
  await expect(dialog.getByRole('alert')).toBeFocused();
  expect(requests).toBe(0);
  await dialog.getByLabel('File').setInputFiles(pdf('small.pdf', 1_000_000));
  await dialog.getByRole('button', { name: 'Upload', exact: true }).click();
  await expectToast(page, 'Document Uploaded');
});

test('the server’s refusal for lack of space is shown, however large the file', async ({ page }) => {
  const hear = async (school: School) => {
    const person = await signedIn(page, school, 'heavy');
    const large = pdf('large.pdf', 10_000_000);
    const known = page.waitForResponse('**/api/students/documents/usage');
    await page.goto(`${school.url}${tab}`);
    await known;
    await page.getByRole('button', { name: 'Upload New Document' }).click();
    // The space is used up in another session.
    const sent = await person.calls.post('/api/students/documents', { multipart: { documentType: 'other', document: large } });
    expect(sent.status()).toBe(201);
    const dialog = page.getByRole('dialog', { name: 'Upload New Document' });
    await dialog.getByLabel('Document type').selectOption('Other Document');
    await dialog.getByLabel('File').setInputFiles(large);
    await dialog.getByRole('button', { name: 'Upload', exact: true }).click();
    await expectToast(page, 'Upload Failed', 'Your documents take up 9.6 of 12 MB, and this would be more.');
    await expect(dialog).toContainText('Please choose a smaller file, remove a document');
  };
  await openSchool(hear, { SCHOOLHOUSE_DOCUMENTS_MB_PER_STUDENT: '12' });
});
