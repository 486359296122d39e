// A student's documents: validation, upload states and the list.
import type { Page } from '@playwright/test';
import { asDemoStudent, endSession, logInAgain, signedIn } from '../actors.ts';
import { expectSoundInEveryLook } from '../looks.ts';
import { answer, disconnect, hold } from '../network.ts';
import { expect, expectToast, test } from '../school.ts';
import { pdf, png } from './files.ts';

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Upload New Document' });
const chooser = (page: Page) => dialog(page).getByLabel('File');
const upload = (page: Page) => dialog(page).getByRole('button', { name: 'Upload', exact: true });
const path = '/api/students/documents';

async function openUpload(page: Page) {
  await page.goto('/student/dashboard?tab=documents');
  await page.getByRole('button', { name: 'Upload New Document' }).click();
  await expect(dialog(page)).toContainText('PDF, JPG, JPEG or PNG, up to 10MB');
}

/** Keeps an upload pending. */
const holdUpload = (page: Page) => hold(page, `**${path}`, 'POST');

test('a document is uploaded and listed, and opens in a new tab', async ({ page, context, school }) => {
  await signedIn(page, school, 'uploader');
  await page.goto('/student/dashboard?tab=documents');
  await expect(page.getByRole('heading', { name: 'No documents yet' })).toBeVisible();
  await openUpload(page);
  await expect(dialog(page).getByLabel('Document type').getByRole('option')).toHaveText([
    'Select a type', 'Government ID', 'School Transcript', 'Proof of Address', 'Health Insurance', 'Study Permit', 'Custodianship Declaration',
    'Immunization Record', 'Individual Education Plan', 'Other Document',
  ]);
  await dialog(page).getByLabel('Document type').selectOption('School Transcript');
  await chooser(page).setInputFiles(pdf('Relevé de notes.pdf'));
  await expect(dialog(page)).toContainText('Relevé de notes.pdf2 KB');
  await upload(page).click();
  await expectToast(page, 'Document Uploaded', 'Your document has been successfully uploaded.');
  await expect(dialog(page)).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'Documents', exact: true })).toBeFocused();
  const row = page.getByRole('tabpanel').getByRole('listitem');
  await expect(row).toHaveCount(1);
  await expect(row).toHaveText(/^School TranscriptUploaded on [A-Z][a-z]+ \d{1,2}, \d{4}Relevé de notes\.pdf · 2 KBWaiting for the officeView Document/);
  const link = row.getByRole('link', { name: 'View Document' });
  // Headless Chromium has no PDF viewer: check the tab's request and response.
  const document = context.waitForEvent('response', (answer) => /\/api\/documents\/\d+$/.test(answer.url()));
  const [, answer] = await Promise.all([context.waitForEvent('page'), document, link.click()]);
  expect(answer.headers()).toMatchObject({ 'content-type': 'application/pdf', 'content-disposition': expect.stringMatching(/^inline/) });
});

test('without a file and a type nothing is sent, and the message says so', async ({ page, school }) => {
  await asDemoStudent(page, school);
  let requests = 0;
  page.on('request', (request) => (requests += request.method() === 'POST' ? 1 : 0));
  await openUpload(page);
  await upload(page).click();
  const words = 'Missing Information: Please select a file and document type.';
  const summary = dialog(page).getByRole('alert');
  await expect(summary).toBeFocused();
  await expectSoundInEveryLook(page);
  await summary.getByRole('link', { name: words }).click();
  await expect(dialog(page).getByLabel('Document type')).toBeFocused();
  await dialog(page).getByLabel('Document type').selectOption('Other Document');
  await upload(page).click();
  await summary.getByRole('link', { name: words }).click();
  await expect(chooser(page)).toBeFocused();
  await chooser(page).setInputFiles(png('card.png'));
  await expect(summary).toHaveCount(0);
  await expect(dialog(page).getByRole('img', { name: 'Preview of card.png' })).toBeVisible();
  expect(await dialog(page).getByRole('img').evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth))).toBe(1);
  expect(requests).toBe(0);
});

const refusedFiles = [
  [{ ...pdf('notes.docx'), mimeType: 'application/msword' }, '“notes.docx” is not a PDF, JPG, JPEG or PNG. Please choose another file.'],
  [{ ...pdf('IMG_0042.HEIC'), mimeType: 'image/heic' }, /HEIC photo\. Please choose a JPG instead/],
  [{ name: 'empty.pdf', mimeType: 'application/pdf', buffer: Buffer.alloc(0) }, '“empty.pdf” is empty. Please choose another file.'],
  [{ name: 'IMG_0042.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1') }, /^“IMG_0042\.jpg” is a HEIC photo\. Please choose a JPG instead/],
  [{ name: 'essay.pdf', mimeType: 'application/pdf', buffer: Buffer.from('Dear office') }, '“essay.pdf” is not a PDF, JPG, JPEG or PNG. Please choose another file.'],
  [pdf('scan.pdf', 10 * 1024 * 1024), '“scan.pdf” is 10.1 MB. Files can be up to 10MB. Please choose a smaller one.'],
] as const;

test('a wrong file is refused at once, and another one can be chosen', async ({ page, school }) => {
  await asDemoStudent(page, school);
  await openUpload(page);
  await dialog(page).getByLabel('Document type').selectOption('Other Document');
  for (const [file, words] of refusedFiles) {
    await chooser(page).setInputFiles(file);
    await expect(dialog(page).locator('.field-error')).toHaveText(words);
    await expect(dialog(page).getByRole('status').first()).toHaveText(words);
    await expect(chooser(page)).toHaveAccessibleDescription(/^PDF, JPG, JPEG or PNG, up to 10MB\. .*“/);
    await expect(chooser(page)).toHaveAttribute('aria-invalid', 'true');
    await upload(page).click();
    await expect(dialog(page).getByRole('alert').getByRole('link')).toHaveText(words);
  }
  await expectSoundInEveryLook(page);
  await chooser(page).setInputFiles(pdf('right.pdf'));
  await expect(chooser(page)).not.toHaveAttribute('aria-invalid', 'true');
  await expect(dialog(page)).toContainText('right.pdf');
});

test('a file that the server refuses is cleared, and another one is accepted', async ({ page, school }) => {
  await signedIn(page, school, 'refused');
  await openUpload(page);
  await dialog(page).getByLabel('Document type').selectOption('Health Insurance');
  for (const status of [400, 413, 415]) {
    await answer(page, 'POST', path, { status, json: { message: `This file will not do (${status}). Please choose another one.` } });
    await chooser(page).setInputFiles(pdf('card.pdf'));
    await upload(page).click();
    await expectToast(page, 'Upload Failed', `This file will not do (${status}).`);
    await expect(dialog(page).getByRole('alert').filter({ hasText: 'There is a problem' })).toBeFocused();
    await expect(chooser(page)).toHaveAccessibleDescription(/This file will not do \(\d+\)\. Please choose another one\.$/);
    await expect(dialog(page).getByText('card.pdf')).toHaveCount(0);
    await expect(dialog(page).getByRole('button', { name: 'Try Again' })).toHaveCount(0);
    await expect(dialog(page).getByLabel('Document type')).toHaveValue('health_insurance');
    await page.unroute(`**${path}`);
  }
  await expectSoundInEveryLook(page);
  await chooser(page).setInputFiles(pdf('better.pdf'));
  await upload(page).click();
  await expectToast(page, 'Document Uploaded');
});

test('an upload without a response times out', async ({ page, school }) => {
  await page.clock.install();
  await signedIn(page, school, 'waiter');
  const held = await holdUpload(page);
  await openUpload(page);
  await dialog(page).getByLabel('Document type').selectOption('Other Document');
  await chooser(page).setInputFiles(pdf('essay.pdf'));
  await upload(page).click();
  await expect(dialog(page).getByRole('progressbar')).toBeVisible();
  await page.clock.fastForward(60_000);
  await expect(dialog(page).locator('form')).toContainText('took too long to answer');
  await expect(dialog(page).getByRole('button', { name: 'Try Again' })).toBeVisible();
  await expect(dialog(page)).toContainText('essay.pdf');
  held.release();
});

test('a failed upload says so, keeps file and type, and works on a retry', async ({ page, school }) => {
  await signedIn(page, school, 'retrier');
  for (const [given, words] of [
    [{ status: 429, json: { message: 'Too many uploads. Please wait a minute.' } }, 'Too many uploads.'],
    [{ status: 500, body: '<html>boom</html>' }, 'Failed to upload document'],
    [null, 'could not be reached'],
  ] as const) {
    await openUpload(page);
    await dialog(page).getByLabel('Document type').selectOption('Health Insurance');
    await chooser(page).setInputFiles(pdf('card.pdf'));
    if (given) await answer(page, 'POST', path, given);
    else await disconnect(page, `**${path}`, 'POST');
    await upload(page).click();
    await expectToast(page, 'Upload Failed', words);
    await expect(dialog(page).locator('form')).toContainText(words);
    await expect(page.getByText('boom')).toHaveCount(0);
    if (given?.status === 500) await expectSoundInEveryLook(page);
    await expect(dialog(page).getByLabel('Document type')).toHaveValue('health_insurance');
    await expect(dialog(page)).toContainText('card.pdf');
    await page.unroute(`**${path}`);
    if (given) await dialog(page).getByRole('button', { name: 'Try Again' }).click();
    else {
      // The same file can be chosen again.
      await chooser(page).setInputFiles(pdf('card.pdf'));
      await upload(page).click();
    }
    await expectToast(page, 'Document Uploaded');
  }
});

test('an upload shows how far it is, is sent once, and can be cancelled', async ({ page, school }) => {
  await signedIn(page, school, 'canceller');
  const held = await holdUpload(page);
  let requests = 0;
  page.on('request', (request) => (requests += request.method() === 'POST' ? 1 : 0));
  await openUpload(page);
  await dialog(page).getByLabel('Document type').selectOption('Proof of Address');
  await chooser(page).setInputFiles(pdf('lease.pdf', 3_000_000));
  await upload(page).dblclick();
  await expect(dialog(page).getByRole('progressbar', { name: 'Upload progress' })).toBeVisible();
  await dialog(page).getByRole('button', { name: 'Uploading...' }).click({ force: true });
  await expectSoundInEveryLook(page);
  await dialog(page).getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog(page).getByRole('status').filter({ hasText: 'cancelled' })).toHaveText('The upload was cancelled. Your file is still here.');
  await expect(dialog(page).getByRole('progressbar')).toHaveCount(0);
  expect(requests).toBe(1);
  held.release();
  await page.unroute(`**${path}`);
  await upload(page).click();
  await expectToast(page, 'Document Uploaded');
  await expect(page.getByRole('tabpanel').getByRole('listitem')).toHaveCount(1);
});

test('progress follows the bytes sent', async ({ page, school }) => {
  await signedIn(page, school, 'watcher');
  await openUpload(page);
  const network = await page.context().newCDPSession(page);
  await network.send('Network.emulateNetworkConditions', { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 800_000 });
  await page.evaluate(() => {
    const seen = new Set<number>();
    Object.assign(window, { seen });
    new MutationObserver(() => {
      const bar = document.querySelector<HTMLProgressElement>('dialog progress');
      if (bar) seen.add(bar.value);
    }).observe(document.body, { attributes: true, childList: true, subtree: true });
  });
  await dialog(page).getByLabel('Document type').selectOption('Proof of Address');
  await chooser(page).setInputFiles(pdf('lease.pdf', 2_000_000));
  await upload(page).click();
  await expectToast(page, 'Document Uploaded');
  const seen = await page.evaluate(() => [...(window as unknown as { seen: Set<number> }).seen]);
  expect(seen.length, String(seen)).toBeGreaterThan(2);
  expect(seen).toEqual(seen.toSorted((one, other) => one - other));
});

test('closing asks first, and cancels the upload', async ({ page, school }) => {
  await signedIn(page, school, 'leaver');
  const held = await holdUpload(page);
  await openUpload(page);
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Upload New Document' })).toBeFocused();

  await openUpload(page);
  await dialog(page).getByLabel('Document type').selectOption('Other Document');
  await chooser(page).setInputFiles(pdf('essay.pdf'));
  await upload(page).click();
  await page.keyboard.press('Escape');
  const question = page.getByRole('dialog', { name: 'Stop the upload?' });
  await expectSoundInEveryLook(page);
  await question.getByRole('button', { name: 'Keep Uploading' }).click();
  await expect(dialog(page).getByRole('progressbar')).toBeVisible();
  const stopped = page.waitForEvent('requestfailed');
  await dialog(page).getByRole('button', { name: 'Close' }).click();
  await question.getByRole('button', { name: 'Stop', exact: true }).click();
  await stopped;
  held.release();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole('heading', { name: 'No documents yet' })).toBeVisible();
});

test('a file can be dropped anywhere on the dialog', async ({ page, school }) => {
  await asDemoStudent(page, school);
  await openUpload(page);
  const files = await page.evaluateHandle(() => {
    const transfer = new DataTransfer();
    transfer.items.add(new File(['%PDF-1.4'], 'dropped.pdf', { type: 'application/pdf' }));
    return transfer;
  });
  await dialog(page).getByLabel('Document type').dispatchEvent('drop', { dataTransfer: files });
  await expect(dialog(page)).toContainText('dropped.pdf');
});

test('a session that ends under the dialog loses neither file nor type', async ({ page, school }) => {
  const person = await signedIn(page, school, 'drowser');
  await openUpload(page);
  await dialog(page).getByLabel('Document type').selectOption('Other Document');
  await chooser(page).setInputFiles(pdf('essay.pdf'));
  await endSession(page);
  await upload(page).click();
  await logInAgain(page, person.password);
  await expect(dialog(page)).toContainText('essay.pdf');
  await dialog(page).getByRole('button', { name: 'Try Again' }).click();
  await expectToast(page, 'Document Uploaded');
});
