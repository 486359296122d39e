// The student dashboard: its overview and tabs, in every state and look.
import type { Page } from '@playwright/test';
import { asDemoStudent, endSession, logInAgain, signedIn } from '../actors.ts';
import { png } from '../documents/files.ts';
import { requestCourses } from '../enrollments/actions.ts';
import { expectSoundInEveryLook } from '../looks.ts';
import { answer, hold, withoutNetwork } from '../network.ts';
import { expect, expectToast, test } from '../school.ts';

const card = (page: Page, name: string) => page.getByRole('region', { name });
const fact = (page: Page, region: string, term: string) =>
  card(page, region).locator('dl > div', { hasText: term }).getByRole('definition');

/** Waits until the tab and its data are rendered. */
async function loaded(page: Page) {
  await expect(page.getByRole('tabpanel')).toBeVisible();
  await expect(page.locator('.spinner')).toHaveCount(0);
}

test('the overview shows the student’s status', async ({ page, school }) => {
  await asDemoStudent(page, school);
  await page.goto('/student/dashboard');
  await expect(page.getByRole('heading', { level: 1, name: 'Welcome, Amara Okonkwo-Lefebvre' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Logout' })).toHaveCount(1);
  await expect(page.getByRole('tab')).toHaveText(['Overview', 'My Courses', 'Documents', 'Profile']);
  await expect(card(page, 'Profile Status').getByRole('listitem'), 'all is done: it is folded').toHaveCount(0);
  await card(page, 'Profile Status').locator('summary').click();
  await expect(card(page, 'Profile Status').getByRole('listitem')).toHaveText([
    'Account VerifiedDone',
    'Profile CompleteDone',
    'Documents UploadedDone',
  ]);
  for (const [term, value] of [
    ['Full name', 'Amara Okonkwo-Lefebvre'],
    ['Email', 'amara.okonkwo@mail.example'],
    ['Phone', '(647) 555-0188'],
    ['Date of birth', 'Mar 1, 2009'],
    ['Address', '88 Sample Crescent, Mississauga, ON'],
    ['Canadian status', 'Permanent resident'],
  ] as const) {
    await expect(fact(page, 'Personal Information', term)).toHaveText(value);
  }
  const courses = card(page, 'Current Courses').getByRole('listitem');
  await expect(courses).toHaveCount(3);
  await expect(courses.first()).toContainText(/Starts.*Days remaining/);
  await expect(courses.first().getByRole('progressbar')).toBeVisible();
  await expect(card(page, 'Current Courses').locator('.badge')).toHaveText(['active', 'pending', 'completed']);
  await expect(card(page, 'Document Reminder')).toHaveCount(0);
  await card(page, 'Current Courses').getByRole('link', { name: 'View all' }).click();
  await expect(page).toHaveURL(/\?tab=courses$/);
  await expect(page.getByRole('tab', { name: 'My Courses' })).toHaveAttribute('aria-selected', 'true');
  await page.goBack();
  await expect(card(page, 'Profile Status')).toBeVisible();
});

test('a newcomer sees what is missing, and completes it from there', async ({ page, school }) => {
  await signedIn(page, school, 'newcomer', null);
  await page.goto('/student/dashboard');
  await expect(page.getByRole('heading', { level: 1, name: 'Welcome', exact: true })).toBeVisible();
  for (const term of ['Full name', 'Phone', 'Date of birth', 'Address', 'Canadian status']) {
    await expect(fact(page, 'Personal Information', term)).toHaveText('Not provided');
  }
  await expect(card(page, 'Profile Status')).toContainText('Missing: full name, date of birth, phone number and address.');
  await expect(card(page, 'Profile Status').getByText('To do')).toHaveCount(2);
  await expect(card(page, 'Current Courses')).toContainText('You have not requested any courses yet.');

  await page.getByRole('button', { name: 'Complete Your Profile' }).click();
  const form = page.getByRole('dialog', { name: 'Edit Profile' });
  await form.getByLabel('Full name').fill('Noor Haddad');
  await form.getByLabel('Date of birth').fill('2010-05-17');
  await form.getByLabel('Gender').selectOption('Other');
  await form.getByLabel('Canadian status').selectOption('Citizen');
  await form.getByLabel('Phone number').fill('+1 (905) 555-0177');
  await form.getByLabel('Address').fill('3 Example Court');
  await form.getByLabel('City').fill('Hamilton');
  await form.getByLabel('Province').selectOption('Ontario');
  await form.getByLabel('Postal code').fill('l8p0a0');
  await form.getByRole('button', { name: 'Save Changes' }).click();
  await expectToast(page, 'Profile Updated', 'Your profile has been successfully updated.');
  await expect(page.getByRole('heading', { name: 'Profile Status' })).toBeFocused();
  await expect(page.getByRole('heading', { level: 1, name: 'Welcome, Noor Haddad' })).toBeVisible();
  await expect(card(page, 'Profile Status').getByText('Done')).toHaveCount(2);

  const reminder = card(page, 'Document Reminder');
  await card(page, 'Still Needed').getByRole('button', { name: /^Upload/ }).first().click();
  await page.getByLabel('Document type').selectOption('Government ID');
  await page.getByRole('dialog').getByLabel('File').setInputFiles(png('passport.png'));
  await page.getByRole('button', { name: 'Upload', exact: true }).click();
  await expectToast(page, 'Document Uploaded', 'Your document has been successfully uploaded.');
  await expect(reminder).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'Profile Status' })).toBeFocused();
  await expect(card(page, 'Profile Status').getByText('Done')).toHaveCount(3);
  // The button preselected the type.
  await page.getByRole('button', { name: 'Upload School Transcript' }).click();
  await expect(page.getByLabel('Document type')).toHaveValue('transcript');
  await page.getByLabel('Document type').selectOption('Government ID');
  await expect(page.getByText('It replaces “passport.png”, which is waiting for review. Older ones that the office has not opened are removed.')).toBeVisible();
  await page.getByLabel('Document type').selectOption('School Transcript');
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('the address names the tab: it survives a reload, and fast keys never land on a stale one', async ({ page, school }) => {
  await asDemoStudent(page, school);
  await page.goto('/student/dashboard?tab=gibberish');
  await expect(page.getByRole('tab', { name: 'Overview' })).toHaveAttribute('aria-selected', 'true');
  await page.getByRole('tab', { name: 'Overview' }).focus();
  for (const key of ['ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowLeft', 'ArrowLeft']) await page.keyboard.press(key);
  await expect(page.getByRole('tab', { name: 'Documents' })).toBeFocused();
  await expect(page).toHaveURL(/\?tab=documents$/);
  await expect(page.getByRole('tabpanel', { name: 'Documents' }).getByRole('heading', { name: 'Documents' })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('tab', { name: 'Documents' })).toHaveAttribute('aria-selected', 'true');
  await page.getByRole('tab', { name: 'Overview' }).click();
  await expect(page).toHaveURL(/\/student\/dashboard$/);
});

test('failed lists say so, and load on a retry', async ({ page, school }) => {
  await asDemoStudent(page, school);
  await answer(page, 'GET', '/api/students/documents', { status: 500, body: '<html>boom</html>' });
  await answer(page, 'GET', '/api/students/enrollments', { status: 500, body: '<html>boom</html>' });
  await page.goto('/student/dashboard');
  await expect(card(page, 'Profile Status')).toContainText('Failed to load your documents. Please try again later.');
  await expect(card(page, 'Profile Status')).toContainText('Documents UploadedNot known yet');
  await expect(card(page, 'Current Courses')).toContainText('Failed to load your courses. Please try again later.');
  await expect(page.getByText('boom')).toHaveCount(0);
  await expectSoundInEveryLook(page);
  await page.unroute('**/api/students/enrollments');
  const retry = card(page, 'Current Courses').getByRole('button', { name: 'Retry', exact: true });
  await withoutNetwork(page, '**/api/students/enrollments', () => retry.click());
  await retry.click();
  await expect(card(page, 'Current Courses').getByRole('listitem')).toHaveCount(3);
  await expect(page.getByRole('heading', { name: 'Current Courses' })).toBeFocused();
  await page.getByRole('tab', { name: 'Documents' }).click();
  await expect(page.getByRole('tabpanel')).toContainText('Failed to load your documents. Please try again later.');
  await page.unroute('**/api/students/documents');
  await page.getByRole('tabpanel').getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByRole('link', { name: 'View Document' })).toHaveCount(2);
  await expect(page.getByRole('heading', { name: 'Documents', exact: true })).toBeFocused();
});

test('slow lists show that they load', async ({ page, school }) => {
  await asDemoStudent(page, school);
  const held = await hold(page, /\/api\/students\/(documents|enrollments)$/);
  await page.goto('/student/dashboard');
  await expect(card(page, 'Current Courses').getByRole('status')).toHaveText('Loading your courses...');
  await expect(card(page, 'Profile Status')).toContainText('Documents UploadedNot known yet');
  await page.getByRole('tab', { name: 'Documents' }).click();
  await expect(page.getByRole('tabpanel').getByRole('status')).toHaveText('Loading your documents...');
  held.release();
  await expect(page.getByRole('link', { name: 'View Document' })).toHaveCount(2);
});

test('an ended session asks to log in over the page, then the lists load', async ({ page, school }) => {
  const person = await signedIn(page, school, 'sleeper');
  await requestCourses(person, ['ENG4U']);
  // Otherwise the list would be cached.
  await page.route('**/api/students/enrollments', (route) => route.abort());
  await page.goto('/student/dashboard?tab=profile');
  await expect(page.getByRole('button', { name: 'Edit Profile' })).toBeVisible();
  await page.unrouteAll();
  await endSession(page);
  await page.getByRole('tab', { name: 'My Courses' }).click();
  await logInAgain(page, person.password);
  await expect(page.getByRole('tabpanel', { name: 'My Courses' })).toContainText('ENG4U');
});

const awkward = {
  fullName: 'Bartholomäus-Maximilian Wolfeschlegelsteinhausenbergerdorff محمد بن عبد العزيز 👩‍🎓🇨🇦',
  phoneNumber: '+49 (0)30 901820 ext. 12345678901234567890',
  address: 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengasse 1234567890',
};

test('every tab is sound in every look, empty and full', async ({ page, school }) => {
  test.slow();
  await asDemoStudent(page, school);
  for (const tab of ['overview', 'courses', 'documents', 'profile']) {
    await page.goto(`/student/dashboard?tab=${tab}`);
    await loaded(page);
    await expectSoundInEveryLook(page);
  }
  await answer(page, 'GET', '/api/students/documents', { json: [] });
  await answer(page, 'GET', '/api/students/enrollments', { json: [] });
  await answer(page, 'GET', '/api/students/wanted', { json: [{ kind: 'document', documentType: 'government_id', label: 'Government ID', isWithOffice: false }] });
  await answer(page, 'GET', '/api/students/me', {
    json: { id: 1, email: 'a.very.long.address.indeed.that.few.would.type@mail.example', isVerified: true, transferringCredits: false, createdAt: '2026-11-21T12:00:00Z', pendingEmail: 'new@mail.example' },
  });
  for (const [tab, words] of [['overview', 'Document Reminder'], ['courses', 'No courses yet'], ['documents', 'No documents yet']] as const) {
    await page.goto(`/student/dashboard?tab=${tab}`);
    await expect(page.getByRole('heading', { name: words })).toBeVisible();
    await expectSoundInEveryLook(page);
  }
});

test('long, foreign and colourful names stay inside a screen of 320 pixels', async ({ page, school }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await signedIn(page, school, 'awkward', awkward);
  const course = { name: `${awkward.fullName} ${awkward.address}`, code: 'WWWWW-WWWW', grade: 12, credits: 0.5, price: 99999999.99 };
  const enrollment = { id: 1, courseId: 1, course, status: 'declined', reason: awkward.address, startDate: '2026-09-08', endDate: '2027-01-22' };
  const upload = { id: 1, studentId: 1, documentType: 'other', originalName: `${awkward.address}.pdf`, contentType: '', sizeBytes: 9_999_999, status: 'superseded', uploadedAt: '2026-11-21T12:00:00Z', createdAt: '2026-11-21T12:00:00Z' };
  await answer(page, 'GET', '/api/students/enrollments', { json: [enrollment, { ...enrollment, id: 2, status: 'waitlisted' }] });
  await answer(page, 'GET', '/api/students/documents', { json: [upload] });
  for (const tab of ['overview', 'courses', 'documents', 'profile']) {
    await page.goto(`/student/dashboard?tab=${tab}`);
    await loaded(page);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width, tab).toBe(320);
    const panel = await page.getByRole('tabpanel').evaluate((element) => [element.scrollWidth, element.clientWidth]);
    expect(panel[0], tab).toBe(panel[1]);
  }
  await answer(page, 'GET', '/api/courses', { json: [{ ...course, id: 1, description: awkward.fullName, subject: 'Other Courses', level: 'O', courseType: 'Open', isCompulsory: true, prerequisite: awkward.address }] });
  await page.goto('/student/courses');
  await page.getByRole('button', { name: 'Already Enrolled' }).waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  await answer(page, 'GET', '/api/students/enrollments', { json: [enrollment] });
  await page.reload();
  await page.getByRole('button', { name: 'Enroll Now' }).click();
  expect(await page.getByRole('dialog').evaluate((element) => element.scrollWidth)).toBe(320);
});

test('students in Shanghai, Toronto and Greenwich read the same dates', async ({ browser, school }) => {
  const read = async (timezoneId: string) => {
    const context = await browser.newContext({ timezoneId, baseURL: school.url });
    const page = await context.newPage();
    await asDemoStudent(page, school);
    await answer(page, 'GET', '/api/students/documents', {
      json: [{ id: 1, studentId: 1, documentType: 'transcript', originalName: 'a.pdf', contentType: '', sizeBytes: 1, status: 'accepted', uploadedAt: '2026-03-06T03:30:00Z', createdAt: '2026-03-06T03:30:00Z' }],
    });
    const dates: string[] = [];
    for (const tab of ['overview', 'courses', 'documents', 'profile']) {
      await page.goto(`/student/dashboard?tab=${tab}`);
      await loaded(page);
      if (tab === 'overview') await expect(page.getByText(/still owing. \$798.00 is overdue/)).toBeVisible();
      const text = (await page.getByRole('tabpanel').textContent()) ?? '';
      dates.push(...(text.match(/[A-Z][a-z]{2,8} \d{1,2}, \d{4}/g) ?? []));
    }
    await context.close();
    return dates;
  };
  const dates = await read('America/Toronto');
  expect(dates).toContain('Mar 1, 2009');
  expect(dates).toContain('March 5, 2026');
  expect(dates.length).toBeGreaterThan(10);
  expect(await read('Asia/Shanghai')).toEqual(dates);
  expect(await read('UTC')).toEqual(dates);
});
