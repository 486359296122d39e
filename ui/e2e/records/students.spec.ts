// Students in the office: the list, a student's page, and "Jane Doe on the phone" by keyboard alone.
import { enter, newStaff, newStudent } from '../actors.ts';
import { requestCourses } from '../enrollments/actions.ts';
import { expectSoundInEveryLook } from '../looks.ts';
import { hold } from '../network.ts';
import { expect, expectToast, test, type School } from '../school.ts';

/** A student created by the office, named after the test. */
async function makeStudent(school: School, fullName: string, email: string): Promise<number> {
  const calls = await newStaff(school);
  const answer = await calls.post('/api/admin/students', { data: { fullName, email, invite: false } });
  expect(answer.ok()).toBe(true);
  return ((await answer.json()) as { id: number }).id;
}

test('Jane Doe on the phone: from any screen to her page, her email, a note', async ({ page, school }) => {
  await makeStudent(school, 'Jane Doe', 'jnae.doe@mail.example');
  await enter(page, school, '/admin/mail');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Mail');
  // Six keys: the palette, four letters, Enter.
  await page.keyboard.press('/');
  await expect(page.getByRole('combobox', { name: 'Students, applicants, courses' })).toBeFocused();
  await page.keyboard.type('jnae');
  await expect(page.getByRole('option', { name: /Jane Doe/ })).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/admin\/students\/\d+$/);
  await expect(page.getByRole('heading', { level: 1, name: 'Jane Doe' })).toBeVisible();

  await page.getByRole('button', { name: 'More' }).press('Enter');
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('button', { name: 'Correct Email...' })).toBeFocused();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Correct Email' });
  await dialog.getByLabel('New email').focus();
  await page.keyboard.type('jane.doe@mail.example');
  await page.keyboard.press('Enter');
  await expectToast(page, 'A link is on its way', 'To jane.doe@mail.example.');
  await expect(page.getByRole('link', { name: 'jane.doe@mail.example' })).toBeVisible();

  await page.getByRole('tab', { name: 'Overview' }).focus();
  for (const name of ['Courses', 'Documents', 'Emails & Messages', 'Notes']) {
    await page.keyboard.press('ArrowRight');
    await expect(page.getByRole('tab', { name: new RegExp(`^${name}`), selected: true })).toBeFocused();
  }
  await page.getByLabel('New note').focus();
  await page.keyboard.type('She moved to Ottawa.');
  await page.keyboard.press('Control+Enter');
  await expect(page.getByRole('article').getByText('She moved to Ottawa.')).toBeVisible();
  await page.getByRole('tab', { name: 'History' }).press('Enter');
  await expect(page.getByText('Email address: jnae.doe@mail.example → jane.doe@mail.example')).toBeVisible();
});

test('Enter in the search opens the result, and presses nothing else', async ({ page, fresh }) => {
  await requestCourses(await newStudent(fresh, 'pressed'), ['ENG4U']);
  await enter(page, fresh, '/admin/enrollments');
  await page.getByRole('button', { name: 'Approve' }).first().focus();
  await page.keyboard.press('/');
  await page.keyboard.type('pressed@');
  await expect(page.getByText('1 found. Enter opens it.')).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Zoë Nguyễn-Tremblay' })).toBeFocused();
  const waiting = (await (await (await newStaff(fresh)).get('/api/admin/enrollments?status=pending')).json()) as unknown[];
  expect(waiting).toHaveLength(1);
});

test('two people editing one profile keep both changes, and see conflicts', async ({ page, school }) => {
  const id = await makeStudent(school, 'Twice Edited', 'twice.edited@mail.example');
  await enter(page, school, `/admin/students/${id}`);
  await page.getByRole('button', { name: 'Edit Profile' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit Profile' });
  const [phone, city] = [dialog.getByLabel('Phone number'), dialog.getByLabel('City')];
  await phone.fill('(416) 555-0111');
  const staff = await newStaff(school);
  const { student } = (await (await staff.get(`/api/admin/students/${id}`)).json()) as { student: { version: number } };
  const theirs = { version: student.version, reason: '', city: 'Ottawa', phoneNumber: '(416) 555-0222' };
  expect((await staff.patch(`/api/admin/students/${id}`, { data: theirs })).ok()).toBe(true);

  await dialog.getByRole('button', { name: 'Save Changes' }).click();
  await expect(phone).toHaveAccessibleDescription(/This has been changed to “\(416\) 555-0222” in the meantime/);
  await expect(phone).toHaveValue('(416) 555-0111');
  await expect(city).toHaveValue('Ottawa');
  await dialog.getByRole('button', { name: 'Save Changes' }).click();
  await expectToast(page, 'Profile saved');
  const after = (await (await staff.get(`/api/admin/students/${id}`)).json()) as { student: { city: string; phoneNumber: string } };
  expect(after.student).toMatchObject({ city: 'Ottawa', phoneNumber: '(416) 555-0111' });
});

test('the list shows a long name whole, at every width', async ({ page, school }) => {
  await makeStudent(school, 'Maximiliana Featherstonehaugh-Cholmondeley', 'maximiliana@mail.example');
  await enter(page, school, '/admin/students?q=Maximiliana');
  const link = page.getByRole('link', { name: /^Maximiliana/ });
  await expect(link).toBeVisible();
  for (const width of [320, 390, 690, 820, 1024, 1280]) {
    await page.setViewportSize({ width, height: 844 });
    const cut = await link.evaluate((name) => {
      const cell = name.closest('td') as HTMLElement;
      const words = name.getBoundingClientRect();
      return cell.scrollWidth > cell.clientWidth || words.right > cell.getBoundingClientRect().right || words.height > cell.offsetHeight;
    });
    expect(cut, `cut at ${width}`).toBe(false);
  }
});

test('Enter before the response opens the response’s result', async ({ page, school }) => {
  const id = await makeStudent(school, 'Ebba Lind', 'ebba.lind@mail.example');
  await enter(page, school, '/admin/mail');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Mail');
  const late = await hold(page, /api\/admin\/search\?q=ebba$/);
  await page.keyboard.press('/');
  const field = page.getByRole('combobox', { name: 'Students, applicants, courses' });
  await expect(field).toBeFocused();
  await page.keyboard.type('eb');
  await expect(page.getByRole('option', { name: /Ebba Lind/ })).toBeVisible();
  await page.keyboard.type('ba');
  await expect.poll(late.count).toBe(1);
  await page.keyboard.press('Enter');
  await expect(field).toBeFocused();
  late.release();
  await expect(page).toHaveURL(new RegExp(`/admin/students/${id}$`));
});

test('an email is corrected in three clicks, by phone', async ({ page, school }) => {
  const id = await makeStudent(school, 'Noor Haddad', 'noor.typo@mail.example');
  await enter(page, school, `/admin/students/${id}`);
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('button', { name: 'Correct Email...' }).click();
  await page.getByLabel('New email').fill('amara.okonkwo@mail.example');
  await page.getByRole('button', { name: 'Send Link' }).click();
  // Taken: names the owner and keeps the input.
  await expect(page.getByText('This email address belongs to Amara Okonkwo-Lefebvre')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Open that student’s page' })).toBeVisible();
  await page.getByLabel('New email').fill('noor@mail.example');
  await page.getByRole('button', { name: 'Send Link' }).click();
  await expectToast(page, 'A link is on its way');
});

test('a student of the demo, each tab in every look', async ({ page, school }) => {
  await enter(page, school, '/admin/students?q=amara');
  await page.getByRole('link', { name: /Amara Okonkwo/ }).click();
  await expect(page.getByRole('heading', { level: 1, name: /Amara/ })).toBeVisible();
  await expect(page.getByText('guardian: Chidi Okonkwo ✓')).toBeVisible();
  for (const name of ['Overview', 'Courses', 'Documents', 'Emails', 'Notes', 'History']) {
    await page.getByRole('tab', { name: new RegExp(`^${name}`) }).click();
    await expectSoundInEveryLook(page);
  }
});

test('the dialogs of a student are sound, and keep their input', async ({ page, school }) => {
  const id = await makeStudent(school, 'Leïla Ben Salah', 'leila@mail.example');
  await enter(page, school, `/admin/students/${id}`);
  await page.getByRole('button', { name: 'Edit Profile' }).click();
  await page.getByLabel('Phone number').fill('123');
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.getByText('Valid phone number required').first()).toBeVisible();
  await expectSoundInEveryLook(page);
  await page.getByLabel('Phone number').fill('6475550111');
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expectToast(page, 'Profile saved');
  await expect(page.getByRole('link', { name: '(647) 555-0111' })).toBeVisible();
  for (const [action, title] of [['Write an Email...', 'Write an Email'], ['Merge Duplicate...', /^Merge a Duplicate/], ['Close Account...', /^Close the account/]] as const) {
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('button', { name: action }).click();
    await expect(page.getByRole('dialog', { name: title })).toBeVisible();
    await expectSoundInEveryLook(page);
    await page.keyboard.press('Escape');
  }
  await page.getByRole('button', { name: 'More' }).click();
  await expectSoundInEveryLook(page);
});

test('the list: searched, filtered, sorted, empty, and with its dialogs', async ({ page, school }) => {
  await makeStudent(school, 'Wei Chen', 'wei@mail.example');
  await enter(page, school, '/admin/students?q=wei+chen');
  await expect(page.getByRole('row', { name: /Wei Chen/ })).toBeVisible();
  await page.goto('/admin/students');
  await expect(page.getByRole('row', { name: /Amara/ })).toBeVisible();
  await expectSoundInEveryLook(page);
  await page.getByRole('button', { name: /^Unverified/ }).click();
  await expect(page).toHaveURL(/flags=unverified/);
  await expect(page.getByRole('row', { name: /Amara/ })).toHaveCount(0);
  await page.getByRole('button', { name: 'Created' }).click();
  await expect(page.getByRole('columnheader', { name: 'Created' })).toHaveAttribute('aria-sort', 'descending');
  await page.getByRole('searchbox', { name: 'Search students' }).fill('no such student');
  await expect(page.getByRole('heading', { name: 'No student found' })).toBeVisible();
  await expectSoundInEveryLook(page);
  await page.getByRole('button', { name: 'Search closed accounts too?' }).click();
  await expect(page).toHaveURL(/closed/);
  await page.getByRole('button', { name: 'Invite Student' }).click();
  await page.getByRole('button', { name: 'Create Account' }).click();
  await expect(page.getByText('Full name is required').first()).toBeVisible();
  await expectSoundInEveryLook(page);
  await page.keyboard.press('Escape');
});

test('a sheet is previewed, then imported', async ({ page, school }) => {
  await enter(page, school, '/admin/students');
  await page.getByRole('button', { name: 'Import' }).click();
  const dialog = page.getByRole('dialog', { name: 'Import Students' });
  const choose = (text: string) => dialog.getByLabel('CSV file').setInputFiles({ name: 'students.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
  await choose('email,fullName\nfirst@mail.example,\u200b\nsecond,Second Student\n');
  await expect(dialog.getByText('line 2, fullName: Full name is required')).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Import', exact: true })).toBeDisabled();
  await expectSoundInEveryLook(page);
  await choose('email,fullName\nfirst@mail.example,First Student\n');
  await expect(dialog.getByText('1 to add, 0 to update, 0 unchanged')).toBeVisible();
  await dialog.getByRole('button', { name: 'Import', exact: true }).click();
  await expectToast(page, 'Students imported');
  await expect(page.getByRole('row', { name: /First Student/ })).toBeVisible();
});

test('the search is sound, and says so when it finds nothing', async ({ page, school }) => {
  await enter(page, school, '/admin/dashboard');
  await expect(page.getByRole('button', { name: 'Search' })).toBeVisible();
  await page.keyboard.press('Control+k');
  const field = page.getByRole('combobox', { name: 'Students, applicants, courses' });
  await expect(field).toBeFocused();
  await field.fill('eng');
  await expect(page.getByRole('option').first()).toBeVisible();
  await expectSoundInEveryLook(page);
  await field.fill('xyzxyz');
  await expect(page.getByText('Nothing found.')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
});
