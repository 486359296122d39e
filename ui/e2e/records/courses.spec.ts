// Decisions about a student's courses, on the student's page in the office.
import { endSession, enter, logInAgain, newStaff, newStudent } from '../actors.ts';
import { approveAll, over, requestCourses, shown, term } from '../enrollments/actions.ts';
import { expectSound, expectSoundInEveryLook } from '../looks.ts';
import { subjectsTo } from '../mail.ts';
import { answer as say, hold } from '../network.ts';
import { expect, expectToast, type School, test } from '../school.ts';

async function numberOf(school: School, name: string): Promise<number> {
  const staff = await newStaff(school);
  const answer = await staff.get(`/api/admin/students?q=${name}`);
  const [row] = (await answer.json()) as { id: number }[];
  if (!row) throw new Error(`no student ${name}: ${answer.status()} ${await answer.text()}`);
  return row.id;
}

test('a student declined twice has both reasons on the page', async ({ page, fresh }) => {
  const person = await newStudent(fresh, 'again');
  const staff = await newStaff(fresh);
  for (const reason of ['The winter class is full.', 'The prerequisite is still missing.']) {
    await requestCourses(person, ['ENG4U']);
    const [waiting] = (await (await staff.get('/api/admin/enrollments?status=pending')).json()) as { id: number }[];
    expect((await staff.post(`/api/admin/enrollments/${waiting?.id}/decline`, { data: { reason } })).ok()).toBe(true);
  }
  await enter(page, fresh, `/admin/students/${await numberOf(fresh, 'again@mail.example')}?tab=courses`);
  await expect(page.getByText('The winter class is full.')).toBeVisible();
  await expect(page.getByText('The prerequisite is still missing.')).toBeVisible();
  await expect(page.getByText('declined', { exact: true })).toHaveCount(2);
  await expectSoundInEveryLook(page);
});

test('a course is rescheduled, marked, corrected and reopened from the student’s page', async ({ page, fresh }) => {
  const person = await newStudent(fresh, 'marked');
  const staff = await newStaff(fresh);
  await requestCourses(person, ['ENG4U']);
  await approveAll(staff);
  await enter(page, fresh, `/admin/students/${await numberOf(fresh, 'marked@mail.example')}?tab=courses`);
  const card = page.getByRole('article', { name: /ENG4U/ });
  const more = async (label: string) => {
    await card.getByRole('button', { name: /^More decisions/ }).click();
    await page.getByRole('button', { name: label }).click();
  };
  await expect(card).toContainText(shown(term.startDate));
  await more('Change dates…');
  const dates = page.getByRole('dialog', { name: 'Change the dates' });
  await dates.getByLabel('End date').fill(term.startDate);
  await dates.getByLabel('Reason').fill('The teacher is away in the first week.');
  await dates.getByRole('button', { name: 'Change Dates' }).click();
  await expect(dates.getByText('End date must be after start date').first()).toBeVisible();
  await dates.getByLabel('End date').fill('2029-01-01');
  await dates.getByRole('button', { name: 'Change Dates' }).click();
  await expect(dates.getByText(/at most 24 months after/).first()).toBeVisible();
  await dates.getByLabel('Start date').fill(over.startDate);
  await dates.getByLabel('End date').fill(over.endDate);
  await dates.getByRole('button', { name: 'Change Dates' }).click();
  await expectToast(page, 'Dates changed');

  await card.getByRole('button', { name: 'Mark…' }).click();
  const mark = page.getByRole('dialog', { name: 'Enter the final mark' });
  await mark.getByLabel('Final mark, 0 to 100').fill('49');
  await expect(mark.getByText('Earns no credit.')).toBeVisible();
  await expectSoundInEveryLook(page);
  await mark.getByRole('button', { name: 'Complete' }).click();
  await expectToast(page, 'Course completed');
  await expect(card).toContainText('Mark 49 %');
  await expect.poll(() => subjectsTo(fresh, person.email)).toContainEqual(expect.stringMatching(/^Your final mark in /));

  await more('Correct mark…');
  const correct = page.getByRole('dialog', { name: 'Correct the final mark' });
  await correct.getByLabel('Final mark, 0 to 100').fill('50');
  await correct.getByRole('button', { name: 'Correct Mark' }).click();
  await expect(correct.getByText(/why the mark is corrected/).first()).toBeVisible();
  await correct.getByLabel('Reason for the correction').fill('An essay was counted twice.');
  await correct.getByRole('button', { name: 'Correct Mark' }).click();
  await expect(card).toContainText('Mark 50 %');
  await more('Reopen…');
  await page.getByRole('dialog').getByLabel('Reason').fill('The mark was meant for another student.');
  await page.getByRole('dialog').getByRole('button', { name: 'Reopen' }).click();
  await expect(card.getByText('active', { exact: true })).toBeVisible();

  await more('Withdraw…');
  const leave = page.getByRole('dialog', { name: 'Withdraw this student?' });
  await leave.getByLabel('Reason').fill('The family moves to Ottawa.');
  await leave.getByRole('button', { name: 'Withdraw' }).click();
  await expectToast(page, 'Student withdrawn');
  await expect(card.getByText('withdrawn', { exact: true })).toBeVisible();
});

test('a student is enrolled on their behalf', async ({ page, fresh }) => {
  await newStudent(fresh, 'behalf');
  await enter(page, fresh, `/admin/students/${await numberOf(fresh, 'behalf@mail.example')}?tab=courses`);
  await page.getByRole('button', { name: 'Enroll in a Course' }).click();
  const dialog = page.getByRole('dialog', { name: 'Enroll in a course' });
  await dialog.getByRole('button', { name: 'Enroll', exact: true }).click();
  await expect(dialog.getByText('Course is required').first()).toBeVisible();
  await expectSoundInEveryLook(page);
  await dialog.getByLabel('Course', { exact: true }).selectOption({ label: 'ENG4U · English' });
  await dialog.getByLabel('Price (optional)').fill('1,200');
  await dialog.getByLabel('Reason for enrolling on their behalf').fill('Asked for on the phone.');
  await dialog.getByRole('button', { name: 'Enroll', exact: true }).click();
  await expectToast(page, 'Student enrolled');
  await expect(page.getByRole('article', { name: /ENG4U/ })).toContainText('charged $1,200.00');
});

test('a mark is due when the day is over at the school, and a long word breaks', async ({ page, fresh }) => {
  const person = await newStudent(fresh, 'evening');
  await requestCourses(person, ['ENG4U']);
  await approveAll(await newStaff(fresh));
  await requestCourses(person, ['MHF4U']);
  const id = await numberOf(fresh, 'evening@mail.example');
  const name = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft';
  await page.route(`**/api/admin/students/${id}`, async (route) => {
    const response = await route.fetch();
    const file = await response.json();
    const enrollments = file.enrollments.map((one: { course: object }) => ({ ...one, endDate: '2026-11-22', course: { ...one.course, name } }));
    await route.fulfill({ response, json: { ...file, enrollments } });
  });
  // In UTC the last day is over; in Toronto it is half past eight.
  await page.clock.setFixedTime(new Date('2026-11-22T20:30:00-05:00'));
  await page.setViewportSize({ width: 390, height: 844 });
  await enter(page, fresh, `/admin/students/${id}`);
  await expect(page.getByText(`Decide about MHF4U, ${name}`)).toBeVisible();
  await expect(page.getByText('Enter the mark of ENG4U')).toHaveCount(0);
  await expectSound(page);
  await page.clock.setFixedTime(new Date('2026-11-23T08:00:00-05:00'));
  await page.reload();
  await expect(page.getByText('Enter the mark of ENG4U')).toBeVisible();
});

test('a merge asks for a match, the other account and the typed word', async ({ page, fresh }) => {
  const staff = await newStaff(fresh);
  const made = [];
  for (const [fullName, email] of [['Mia Double', 'mia@mail.example'], ['Mia Doubel', 'mia.two@mail.example']]) {
    // Sequential: their numbers follow their names.
    // oxlint-disable-next-line no-await-in-loop
    const answer = await staff.post('/api/admin/students', { data: { fullName, email, invite: false } });
    expect(answer.ok()).toBe(true);
    // oxlint-disable-next-line no-await-in-loop
    made.push(((await answer.json()) as { id: number }).id);
  }
  await enter(page, fresh, `/admin/students/${made[0]}`);
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('button', { name: 'Merge Duplicate...' }).click();
  const dialog = page.getByRole('dialog', { name: /^Merge a Duplicate/ });
  const search = dialog.getByRole('searchbox', { name: 'Search students' });
  await search.fill('no such student');
  await expect(dialog.getByText('No student matches')).toBeVisible();
  await search.fill('doubel');
  await expect(dialog.getByText('No student matches')).toHaveCount(0);

  const other = `/api/admin/students/${made[1]}`;
  await say(page, 'GET', other, { status: 500, body: 'oops' });
  await dialog.getByRole('button', { name: 'Choose' }).click();
  await expect(dialog.getByText('The other account could not be loaded.')).toBeVisible();
  await page.unroute(`**${other}`);
  await dialog.getByRole('button', { name: 'Retry' }).click();
  const word = dialog.getByLabel('This cannot be undone. Type MERGE to continue');
  await expect(dialog.getByRole('radio').first(), 'the first field').toBeFocused();

  await word.fill('merg');
  await dialog.getByRole('button', { name: 'Merge', exact: true }).click();
  await expect(dialog.getByRole('alert')).toBeFocused();
  await expect(word).toHaveAccessibleDescription('Type MERGE to continue');
  await expectSoundInEveryLook(page);
  await dialog.getByRole('link', { name: 'Type MERGE to continue' }).click();
  await expect(word).toBeFocused();
  await word.fill('merge');
  await expect(word).toHaveAccessibleDescription('');
  await page.keyboard.press('Enter');
  await expectToast(page, 'Accounts merged', 'The other account is closed.');
});

test('the next note is typed while one is saved, and the keyboard stays where a note was deleted', async ({ page, fresh }) => {
  await newStudent(fresh, 'noted');
  await enter(page, fresh, `/admin/students/${await numberOf(fresh, 'noted@mail.example')}?tab=notes`);
  const field = page.getByLabel('New note');
  const note = (text: string) => page.getByRole('article').filter({ hasText: text });
  await field.fill('The mother has called.');
  const saving = await hold(page, '**/notes', 'POST');
  await field.press('Control+Enter');
  await expect(page.getByRole('button', { name: 'Saving...' })).toBeVisible();
  await field.fill('She calls again on Monday.');
  saving.release();
  await expect(note('The mother has called.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Save Note' })).toBeVisible();
  await expect(field).toHaveValue('She calls again on Monday.');

  // The page below does not repeat the dialog's question.
  await endSession(page);
  await field.press('Control+Enter');
  await logInAgain(page, fresh.staff.password);
  await expect(field).toHaveValue('She calls again on Monday.');
  await expect(page.getByText('Please log in to continue.')).toHaveCount(0);
  await field.press('Control+Enter');
  await expect(note('She calls again on Monday.')).toBeVisible();
  await expect(field).toHaveValue('');

  await note('The mother has called.').getByRole('button', { name: 'Delete' }).press('Enter');
  await page.getByRole('dialog', { name: 'Delete this note?' }).getByRole('button', { name: 'Delete', exact: true }).press('Enter');
  await expect(page.getByText(/^A note by principal was deleted on/)).toBeFocused();
});

test('a credit from another school is recorded, corrected and voided, and counts on both sides', async ({ page, fresh }) => {
  const person = await newStudent(fresh, 'transfer');
  await requestCourses(person, ['ENG4U']);
  await enter(page, fresh, `/admin/students/${await numberOf(fresh, 'transfer@mail.example')}?tab=courses`);
  const section = page.getByRole('article', { name: 'Credits from Other Schools' });
  await expect(page.getByRole('article', { name: /ENG4U/ })).toContainText('Prerequisite ENG3U: nothing (no credit in ENG3U is recorded)');
  await section.getByRole('button', { name: 'Record a Credit' }).click();
  const dialog = page.getByRole('dialog', { name: 'Record a Credit' });
  await dialog.getByRole('button', { name: 'Record', exact: true }).click();
  await expect(dialog.getByText('Code is required').first()).toBeVisible();
  await expectSoundInEveryLook(page);
  await dialog.getByLabel('Code').fill('eng 3u');
  await dialog.getByLabel('Course').fill('English');
  await dialog.getByLabel('Mark (optional)').fill('81');
  await dialog.getByLabel('Completed on').fill('2025-06-20');
  await dialog.getByLabel('School').fill('Sample Park Collegiate');
  await dialog.getByRole('button', { name: 'Record', exact: true }).click();
  await expectToast(page, 'Credit recorded');
  await expect(section).toContainText('ENG3U · English');
  await expect(section).toContainText('1 credit · mark 81 · Jun 20, 2025 · Sample Park Collegiate');
  await expect(section).toContainText('1 of 30 credits: 0 earned here + 1 recorded elsewhere.');
  await expect(page.getByRole('article', { name: /ENG4U/ })).toContainText('Prerequisite ENG3U: elsewhere (ENG3U, completed at Sample Park Collegiate with 81)');

  await section.getByRole('button', { name: 'Correct ENG3U' }).click();
  const correct = page.getByRole('dialog', { name: 'Correct ENG3U' });
  await correct.getByLabel('Mark (optional)').fill('49');
  await correct.getByRole('button', { name: 'Correct', exact: true }).click();
  await expectToast(page, 'Credit corrected');
  await expect(section).toContainText('mark 49, earns no credit');
  await expectSoundInEveryLook(page);

  await section.getByRole('button', { name: 'Void ENG3U' }).click();
  const voiding = page.getByRole('dialog', { name: 'Void ENG3U?' });
  await voiding.getByLabel('Reason').fill('Of another student.');
  await voiding.getByRole('button', { name: 'Void', exact: true }).click();
  await expectToast(page, 'Credit voided');
  await expect(section.getByText('void', { exact: true })).toBeVisible();
  await expect(section).toContainText('Of another student.');
  await expect(section.getByRole('button', { name: 'Correct ENG3U' })).toHaveCount(0);
});
