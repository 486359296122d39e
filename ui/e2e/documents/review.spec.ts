// The queue of documents, by keyboard alone: two keys a document, and the focus is never lost.
import { enter, newStudent, signIn } from '../actors.ts';
import { expectSoundInEveryLook } from '../looks.ts';
import { expect, test } from '../school.ts';
import { pdf, png } from './files.ts';

test('documents are reviewed by keyboard, and the student reads why', async ({ page, fresh }) => {
  const amara = await newStudent(fresh, 'amara', { fullName: 'Amara Okonkwo', dateOfBirth: '2009-03-14' });
  const { calls } = amara;
  for (const documentType of ['proof_of_address', 'transcript', 'government_id', 'other']) {
    expect((await calls.post('/api/students/documents', { multipart: { documentType, document: documentType === 'government_id' ? png('scan.png') : pdf('scan.pdf') } })).ok()).toBe(true);
  }
  await enter(page, fresh, '/admin/documents?status=pending_review');
  const heading = page.getByRole('heading', { level: 2, name: /^Review/ });
  const title = page.getByRole('heading', { level: 3 });
  await expect(heading).toHaveText('Review: 1 of 4');
  await expect(title).toHaveText('Proof of Address');
  await expect(page.getByText('Mar 14, 2009')).toBeVisible();
  await expectSoundInEveryLook(page);

  // One key accepts.
  await page.keyboard.press('a');
  await expect(heading).toHaveText('Review: 2 of 4');
  await expect(heading).toBeFocused();
  await expect(page.getByText('Proof of Address of Amara Okonkwo: Accepted')).toBeVisible();

  // Two keys reject. Neither works while one types.
  await page.getByLabel('Valid until').focus();
  await page.keyboard.press('r');
  await expect(page.getByRole('dialog')).toBeHidden();
  await heading.focus();
  await page.keyboard.press('r');
  const dialog = page.getByRole('dialog', { name: 'Reject School Transcript' });
  await expect(dialog).toBeVisible();
  await expectSoundInEveryLook(page);
  await page.keyboard.press('1');
  await expect(heading).toHaveText('Review: 3 of 4');
  await expect(heading).toBeFocused();
  await expect(title).toHaveText('Government ID');
  await expect(page.getByRole('img', { name: 'Government ID' })).toBeVisible();

  // An ID is accepted once name and birth date were compared.
  await page.keyboard.press('a');
  await expect(page.getByText('Compare both before you accept.')).toBeVisible();
  await page.keyboard.press('1');
  await page.keyboard.press('2');
  await page.keyboard.press('a');
  await expect(title).toHaveText('Other Document');
  await page.keyboard.press('d');
  await page.getByRole('dialog').getByLabel('Reason').fill('Another student’s bill');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).press('Enter');
  await expect(page.getByRole('heading', { name: 'Nothing waits for review' })).toBeVisible();
  await expect(heading).toBeFocused();

  const wanted: { documentType: string | null; reason?: string }[] = await (await calls.get('/api/students/wanted')).json();
  expect(wanted.find(({ documentType }) => documentType === 'transcript')?.reason).toBe('It cannot be read.');

  // The student sends another one from the row of the rejected one.
  await signIn(page, amara);
  await page.goto(`${fresh.url}/student/dashboard?tab=documents`);
  const rejected = page.getByRole('tabpanel').getByRole('listitem').filter({ hasText: 'It cannot be read.' });
  await expectSoundInEveryLook(page);
  await rejected.getByRole('button', { name: 'Upload a New One' }).click();
  await expect(page.getByRole('dialog').getByLabel('Document type')).toHaveValue('transcript');
  await page.getByRole('dialog').getByLabel('File').setInputFiles(pdf('better.pdf'));
  await page.getByRole('dialog').getByRole('button', { name: 'Upload', exact: true }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(rejected.getByRole('button', { name: 'Upload a New One' })).toHaveCount(0);
});
