// Bulk actions on students: emails, links and selection; and an import.
import { utimesSync, writeFileSync } from 'node:fs';
import { enter, newStaff } from '../actors.ts';
import { pdf } from '../documents/files.ts';
import { expectSoundInEveryLook } from '../looks.ts';
import { subjectsTo } from '../mail.ts';
import { expect, expectToast, test } from '../school.ts';

test('all selected students get a previewed email, and unverified ones a link', async ({ page, school }) => {
  const staff = await newStaff(school);
  const names = ['Ada Manyfold', 'Bo Manyfold', 'Cy Manyfold'];
  for (const fullName of names) {
    const email = `${fullName.slice(0, 2).trim().toLowerCase()}.manyfold@mail.example`;
    // Sequential: their numbers follow their names.
    // oxlint-disable-next-line no-await-in-loop
    expect((await staff.post('/api/admin/students', { data: { fullName, email, invite: false } })).ok()).toBe(true);
  }
  await enter(page, school, '/admin/students?q=manyfold');
  await page.getByRole('checkbox', { name: 'Select Ada Manyfold' }).check();
  await expect(page.getByText('1 selected')).toBeVisible();
  await page.getByRole('button', { name: 'Select all 3' }).click();
  await expect(page.getByText('3 selected')).toBeVisible();
  await expectSoundInEveryLook(page);
  await page.getByRole('button', { name: 'Write an Email…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Write to 3 students' });
  await dialog.getByRole('button', { name: 'Preview' }).click();
  await expect(dialog.getByText('Write at least 10 characters').first()).toBeVisible();
  await dialog.getByLabel('Subject').fill('No school on Friday');
  await dialog.getByLabel('Message').fill('The building is closed on Friday.\n\nSee you on Monday.');
  await dialog.getByRole('button', { name: 'Preview' }).click();
  await expect(dialog.getByRole('heading', { name: '3 students get this email' })).toBeFocused();
  const sample = dialog.getByRole('article', { name: 'The email' });
  await expect(sample).toContainText('See you on Monday.');
  await expect(sample).toContainText('Northgate Academy');
  await expectSoundInEveryLook(page);
  // Back to the text, which is kept.
  await dialog.getByRole('button', { name: 'Change' }).click();
  await dialog.getByLabel('Subject').fill('No classes on Friday');
  await dialog.getByRole('button', { name: 'Preview' }).click();
  await dialog.getByRole('button', { name: 'Send to 3 students' }).click();
  await expect(page.getByRole('region', { name: 'Result' })).toContainText('3 emails queued.');
  for (const mailbox of ['ad', 'bo', 'cy']) {
    // oxlint-disable-next-line no-await-in-loop
    await expect.poll(() => subjectsTo(school, `${mailbox}.manyfold@mail.example`)).toContain('No classes on Friday');
  }
  // Nothing failed, so nothing stays selected. A verified student fails and stays.
  await page.getByRole('searchbox').fill('');
  // Her row is only in the full list: wait for it.
  await page.getByRole('checkbox', { name: /^Select Amara/ }).check();
  await page.getByRole('checkbox', { name: 'Select Ada Manyfold' }).check();
  await page.getByRole('button', { name: 'Resend Verification…' }).click();
  await expect(page.getByRole('dialog', { name: 'Send 1 link again?' })).toContainText('1 student of those that you selected is verified already and gets none.');
  await page.getByRole('dialog').getByRole('button', { name: 'Send Again' }).click();
  const result = page.getByRole('region', { name: 'Result' });
  await expect(result).toContainText('1 link sent, 1 not; it stays selected.');
  await expect(result).toContainText('This student’s email address is verified already.');
  await expect(page.getByText('1 selected')).toBeVisible();
  // Only a verified student is left: there is nothing to send.
  await page.getByRole('button', { name: 'Resend Verification…' }).click();
  const notice = page.getByRole('dialog', { name: 'No links needed' });
  await expect(notice).toContainText('The student that you selected is verified already.');
  await expect(notice.getByRole('button', { name: /Send/ })).toHaveCount(0);
  await expectSoundInEveryLook(page);
  await notice.getByRole('button', { name: 'Back to the List' }).click();
  await expect(page.getByRole('button', { name: 'Resend Verification…' })).toBeFocused();
});

test('a corrected sheet is chosen again, and one changed since says so', async ({ page, school }, info) => {
  const path = info.outputPath('corrected.csv');
  writeFileSync(path, 'email,fullName\nida.sheet@mail.example,\u200b\n');
  await enter(page, school, '/admin/students');
  await page.getByRole('button', { name: 'Import' }).click();
  const dialog = page.getByRole('dialog', { name: 'Import Students' });
  const field = dialog.getByLabel('CSV file');
  await expect(dialog.getByText('No file chosen')).toBeVisible();
  await field.setInputFiles(path);
  await expect(dialog.getByText('line 2, fullName: Full name is required')).toBeVisible();
  await expect(dialog.getByText('corrected.csv', { exact: true })).toBeVisible();
  // Browsers fire no change event if the same file is chosen again.
  await expect(field).toHaveValue('');
  await expectSoundInEveryLook(page);
  writeFileSync(path, 'email,fullName\nida.sheet@mail.example,Ida Sheet\n');
  await field.setInputFiles(path);
  await expect(dialog.getByText('1 to add, 0 to update, 0 unchanged')).toBeVisible();

  // Browsers compare modification times in whole seconds.
  writeFileSync(path, 'email,fullName\nida.sheet@mail.example,Ida B. Sheet\n');
  const later_s = Date.now() / 1000 + 60;
  utimesSync(path, later_s, later_s);
  const imports = dialog.getByRole('button', { name: 'Import', exact: true });
  await imports.click();
  await expect(dialog.getByText('“corrected.csv” has been changed or deleted since you chose it. Please choose it again.')).toBeVisible();
  await expect(dialog.getByText(/could not be reached/)).toHaveCount(0);
  await field.setInputFiles(path);
  await expect(dialog.getByText('1 to add, 0 to update, 0 unchanged')).toBeVisible();
  await expect(dialog.getByText(/has changed since/)).toHaveCount(0);
  await imports.click();
  await expectToast(page, 'Students imported');
  await page.goto('/admin/students?q=ida.sheet');
  await expect(page.getByRole('row', { name: /Ida B\. Sheet/ })).toBeVisible();
});

test('students are found by course and grade, closed accounts included', async ({ page, school }) => {
  await enter(page, school, '/admin/students');
  const count = page.getByRole('region', { name: 'All Students' }).getByRole('status').first();
  await expect(count).toHaveText(/^\d+ students?$/);
  await page.getByRole('combobox', { name: 'Course', exact: true }).selectOption('MHF4U');
  await expect(page).toHaveURL(/course=MHF4U/);
  await page.getByRole('combobox', { name: 'Grade of a course' }).selectOption('9');
  await expect(page.getByRole('heading', { name: 'No student found' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Search closed accounts too?' })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('combobox', { name: 'Course', exact: true })).toHaveValue('MHF4U');
  await page.getByRole('combobox', { name: 'Course', exact: true }).selectOption('');
  await expect(count).toHaveText(/^[1-9]\d* students?$/);
});

test('a document is uploaded for a student, who sees that it came from the office', async ({ page, school }) => {
  const staff = await newStaff(school);
  const made = await staff.post('/api/admin/students', { data: { fullName: 'Una Paper', email: 'una.paper@mail.example', invite: false } });
  const { id } = (await made.json()) as { id: number };
  await enter(page, school, `/admin/students/${id}?tab=documents`);
  const upload = page.getByRole('button', { name: 'Upload for the Student' });
  await page.route('**/assets/UploadDialog-*.js', (route) => route.abort('internetdisconnected'));
  await upload.click();
  await expectToast(page, 'That could not be opened', 'A part of this page could not be loaded.');
  await page.unroute('**/assets/UploadDialog-*.js');
  await upload.click();
  const dialog = page.getByRole('dialog', { name: 'Upload for Una Paper' });
  await expectSoundInEveryLook(page);
  await dialog.getByLabel('Document type').selectOption({ label: 'School Transcript' });
  await dialog.locator('input[type=file]').setInputFiles(pdf('mail.pdf'));
  await dialog.getByRole('button', { name: 'Upload', exact: true }).click();
  await expectToast(page, 'Document Uploaded', 'The student sees that it came from the office.');
  await expect(page.getByText('by the office')).toBeVisible();
  await page.getByRole('tab', { name: 'History' }).click();
  await expect(page.getByText('Document uploaded by the office: School Transcript')).toBeVisible();
});
