// From visitor to student in a running course, through the screens alone: website, emails, portal on a phone, office
// on a desktop.
import { completeProfile, logInStaff } from './actors.ts';
import { pdf } from './documents/files.ts';
import { linkTo, subjectsTo } from './mail.ts';
import { expect, expectToast, test } from './school.ts';

test('a student goes from registration to an approved course', async ({ browser, fresh }) => {
  test.slow();
  const email = 'maryam@mail.example';
  const phone = await (await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true })).newPage();
  const desk = await (await browser.newContext()).newPage();

  await phone.goto(fresh.url);
  await phone.getByRole('button', { name: 'Open menu' }).click();
  await phone.getByRole('dialog').getByRole('link', { name: 'Student Login' }).click();
  await phone.getByRole('tab', { name: 'Register' }).click();
  await phone.getByLabel('Email', { exact: true }).fill(email);
  await phone.getByLabel('Password', { exact: true }).fill('correct horse battery');
  await phone.getByLabel('Confirm Password').fill('correct horse battery');
  await phone.getByRole('button', { name: /^(Register|Create)/ }).click();
  await expectToast(phone, 'Registration successful', 'Please check your email to verify your account.');

  await phone.goto(await linkTo(fresh, email, '/student/verify'));
  await phone.getByRole('link', { name: 'Proceed to Login' }).or(phone.getByRole('button', { name: 'Proceed to Login' })).click();
  await expect(phone.getByText('Your email has been verified successfully! You can now log in.')).toBeVisible();
  await phone.getByLabel('Email', { exact: true }).fill(email);
  await phone.getByLabel('Password', { exact: true }).fill('correct horse battery');
  await phone.getByRole('button', { name: 'Login', exact: true }).click();
  await expectToast(phone, 'Login successful', 'Welcome back!');

  await phone.getByRole('tab', { name: 'Profile' }).click();
  await phone.getByRole('button', { name: 'Edit Profile' }).click();
  const profile = phone.getByRole('dialog', { name: 'Edit Profile' });
  for (const [name, value] of Object.entries({ ...completeProfile, fullName: 'مريم Haddad' })) {
    const control = profile.locator(`#profile-${name}`);
    await ((await control.evaluate((element) => element.tagName)) === 'SELECT' ? control.selectOption(value) : control.fill(value));
  }
  await profile.getByRole('button', { name: 'Save Changes' }).click();
  await expectToast(phone, 'Profile Updated', 'Your profile has been successfully updated.');

  await phone.getByRole('tab', { name: 'Documents' }).click();
  await phone.getByRole('button', { name: 'Upload New Document' }).click();
  const upload = phone.getByRole('dialog', { name: 'Upload New Document' });
  await upload.getByLabel('Document type').selectOption({ label: 'School Transcript' });
  await upload.locator('input[type=file]').setInputFiles(pdf('نتائج 2026.pdf'));
  await upload.getByRole('button', { name: 'Upload', exact: true }).click();
  await expectToast(phone, 'Document Uploaded', 'Your document has been successfully uploaded.');

  await phone.getByRole('link', { name: 'Available Courses' }).click();
  await phone.getByRole('searchbox').fill('ENG4U');
  await phone.getByRole('button', { name: /Enroll Now/ }).click();
  await phone.getByRole('button', { name: 'Submit Enrollment' }).click();
  await expectToast(phone, 'Enrollment Submitted', 'Your enrollment has been submitted for approval.');

  await logInStaff(desk, fresh);
  await desk.getByRole('link', { name: 'View Documents' }).click();
  await expect(desk.getByRole('row').filter({ hasText: 'مريم Haddad' })).toContainText('School Transcript');
  await desk.getByRole('navigation', { name: 'Office' }).getByRole('link', { name: 'Dashboard' }).click();
  await expect(desk.getByRole('row').filter({ hasText: email })).toContainText('ENG4U');
  await desk.getByRole('button', { name: 'Approve' }).click();
  await expectToast(desk, 'Enrollment approved', 'The student enrollment has been approved successfully.');

  await phone.goto(`${fresh.url}/student/dashboard`);
  await expect(phone.getByText('active', { exact: true })).toBeVisible();
  // Approved, and still shows what the office needs.
  await expect(phone.getByText('All complete')).toHaveCount(0);
  for (const check of ['Account Verified', 'Profile Complete', 'Documents Uploaded']) {
    await expect(phone.getByRole('listitem').filter({ hasText: check })).toContainText('Done');
  }
  await expect.poll(() => subjectsTo(fresh, email)).toEqual(['Verify your email address', 'We have your enrollment request', 'Your enrollment is approved']);
});
