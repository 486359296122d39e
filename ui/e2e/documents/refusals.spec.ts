// Refusals by file content, shown in the upload dialog.
import { signedIn } from '../actors.ts';
import { expectSoundInEveryLook } from '../looks.ts';
import { expect, expectToast, test } from '../school.ts';
import { pdf, portfolio } from './files.ts';

test('an archive of files is refused with advice', async ({ page, school }) => {
  await signedIn(page, school, 'scripted');
  await page.goto('/student/dashboard?tab=documents');
  await page.getByRole('button', { name: 'Upload New Document' }).click();
  const dialog = page.getByRole('dialog', { name: 'Upload New Document' });
  const chooser = dialog.getByLabel('File');
  const upload = dialog.getByRole('button', { name: 'Upload', exact: true });
  await dialog.getByLabel('Document type').selectOption('School Transcript');
  await chooser.setInputFiles(portfolio('transcript.pdf'));
  await upload.click();
  const words = 'This PDF is a folder with other files in it. Please open the one that is meant, save it by itself, and upload that.';
  await expect(dialog.locator('.field-error')).toHaveText(words);
  // A toast stays while focused.
  const toast = page.getByRole('button', { name: 'Close notification' });
  await toast.focus();
  await expectSoundInEveryLook(page);
  await expect(dialog.getByLabel('Document type')).toHaveValue('transcript');
  // The message is so long that its toast covers the dialog's buttons.
  await toast.click();
  await chooser.setInputFiles(pdf('printed.pdf'));
  await upload.click();
  await expectToast(page, 'Document Uploaded');
});
