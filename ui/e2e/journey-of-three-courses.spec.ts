// A student's way through the office's decisions: three requests, one declined, one waitlisted, one approved; a
// guardian's confirmation; prices and a mark. Emails are read from the spool.
import { enter, newStaff, signedIn } from './actors.ts';
import { pdf } from './documents/files.ts';
import { over, requestCourses } from './enrollments/actions.ts';
import { emails, subjectsTo } from './mail.ts';
import { expect, expectToast, test } from './school.ts';

test('three courses are requested, with three outcomes', async ({ browser, page, fresh }) => {
  test.slow();
  const staff = await newStaff(fresh);
  const courses = (await (await staff.get('/api/admin/courses')).json()) as { id: number; code: string }[];
  const price = async (code: string, dollars: number) => {
    const id = courses.find((course) => course.code === code)?.id;
    expect((await staff.patch(`/api/admin/courses/${id}`, { data: { price: dollars } })).ok()).toBe(true);
  };
  await price('SCH4U', 640);

  // Registered, verified by the emailed link, with a complete profile; documents are uploaded on the screen.
  const person = await signedIn(page, fresh, 'three', { dateOfBirth: '2010-05-01' });
  await page.goto(`${fresh.url}/student/dashboard?tab=documents`);
  await page.getByRole('button', { name: 'Upload New Document' }).click();
  const upload = page.getByRole('dialog', { name: 'Upload New Document' });
  await upload.getByLabel('Document type').selectOption({ label: 'School Transcript' });
  await upload.locator('input[type=file]').setInputFiles(pdf('transcript.pdf'));
  await upload.getByRole('button', { name: 'Upload', exact: true }).click();
  await expectToast(page, 'Document Uploaded');
  await requestCourses(person, ['ENG4U', 'MHF4U']);
  await requestCourses(person, ['SCH4U'], over);

  const desk = await (await browser.newContext()).newPage();
  const [row] = (await (await staff.get('/api/admin/students?q=three@mail.example')).json()) as { id: number }[];
  await enter(desk, fresh, `/admin/students/${row?.id}`);
  await desk.getByRole('button', { name: 'Record Confirmation' }).click();
  const guardian = desk.getByRole('dialog', { name: 'Parent or Guardian' });
  await guardian.getByLabel('Confirmed on the phone').check();
  await guardian.getByRole('button', { name: 'Save' }).click();
  await desk.getByRole('tab', { name: /^Courses/ }).click();
  const card = (code: string) => desk.getByRole('article', { name: new RegExp(code) });
  const choose = async (code: string, label: string) => {
    await card(code).getByRole('button', { name: /^More decisions/ }).click();
    await desk.getByRole('button', { name: label }).click();
  };
  const reason = 'We have no proof yet that you completed English in grade 11.';
  await choose('ENG4U', 'Decline…');
  const decline = desk.getByRole('dialog', { name: 'Decline this request?' });
  await decline.getByLabel('Reason').selectOption({ label: 'Prerequisite missing' });
  await decline.getByLabel('Message to the student').fill(reason);
  await decline.getByRole('button', { name: 'Decline', exact: true }).click();
  await expectToast(desk, 'Request declined');
  await choose('MHF4U', 'Put on waiting list');
  await expectToast(desk, 'On the waiting list');
  await card('SCH4U').getByRole('button', { name: 'Approve' }).click();
  await expectToast(desk, 'Enrollment approved');

  const decided = ['Your enrollment request was declined', 'Your enrollment is approved'];
  for (const subject of decided) {
    // oxlint-disable-next-line no-await-in-loop
    await expect.poll(() => subjectsTo(fresh, person.email)).toContain(subject);
  }
  const approval = emails(fresh, person.email).find((email) => email.includes('Your enrollment is approved')) ?? '';
  expect(approval).toContain('$640.00');

  // The price changes twice afterwards; the student sees the quoted one.
  await price('SCH4U', 700);
  await price('SCH4U', 760);
  await page.goto(`${fresh.url}/student/dashboard?tab=courses`);
  await expect(page.getByText('$640.00').first()).toBeVisible();
  await expect(page.getByText(/\$7[06]0\.00/)).toHaveCount(0);
  await expect(page.getByText(reason)).toBeVisible();
  await expect(page.getByText('waitlisted', { exact: true })).toBeVisible();

  await desk.reload();
  await card('SCH4U').getByRole('button', { name: 'Mark…' }).click();
  const mark = desk.getByRole('dialog', { name: 'Enter the final mark' });
  await mark.getByLabel('Final mark, 0 to 100').fill('87');
  await mark.getByRole('button', { name: 'Complete' }).click();
  await expectToast(desk, 'Course completed');
  await expect.poll(() => subjectsTo(fresh, person.email)).toContain('You have completed a course');

  await desk.reload();
  await expect(card('SCH4U')).toContainText('charged $640.00');
  await expect(card('SCH4U')).toContainText('Completed, 87 %');
  await expect(card('ENG4U')).toContainText(reason);
  await expect(card('MHF4U')).toContainText('Put on the waiting list');
  await desk.getByRole('tab', { name: 'History' }).click();
  await expect(desk.getByText(/Guardian’s confirmation: .*on the phone/)).toBeVisible();
  await page.reload();
  await expect(page.getByText('87').first()).toBeVisible();
});
