// A guardian on a phone: the mailed link, two children on one page, confirming in three taps, refusing with a reason.
import { newStaff, newStudent } from '../actors.ts';
import { requestCourses } from '../enrollments/actions.ts';
import { linkTo } from '../mail.ts';
import { expect, expectToast, test } from '../school.ts';
import { beforeMidnight, yearsBefore } from '../zones.ts';

test('a guardian confirms in three taps, and refuses for another child', async ({ browser, fresh }) => {
  const guardians = [{ name: 'Chidi Okonkwo', email: 'chidi@mail.example', relationship: 'father' }];
  const [ada, bola] = [
    await newStudent(fresh, 'ada', { fullName: 'Ada Okonkwo', dateOfBirth: '2010-05-01' }),
    await newStudent(fresh, 'bola', { fullName: 'Bola Okonkwo', dateOfBirth: '2012-05-01' }),
  ];
  for (const { calls } of [ada, bola]) {
    // oxlint-disable-next-line no-await-in-loop
    expect((await calls.put('/api/students/guardians', { data: guardians })).ok()).toBe(true);
  }
  await requestCourses(ada, ['ENG4U']);
  await requestCourses(bola, ['MHF4U']);

  const phone = await (await browser.newContext({ viewport: { width: 390, height: 844 } })).newPage();
  await phone.goto(await linkTo(fresh, 'chidi@mail.example', '/family'));
  await expect(phone).toHaveURL(`${fresh.url}/family`);
  await expect(phone.getByText('2 requests wait for your answer.')).toBeVisible();
  const request = (course: RegExp) => phone.getByRole('article', { name: course });
  const english = request(/English/);
  // Tap, type, tap.
  await english.getByLabel('Your full name').click();
  await phone.keyboard.type('Chidi Okonkwo');
  await english.getByRole('button', { name: 'I Agree' }).click();
  await expectToast(phone, 'Confirmed');
  await expect(english).toHaveCount(0);
  await expect(phone.getByRole('heading', { name: 'Ada Okonkwo' })).toBeFocused();

  const maths = request(/Functions/);
  await maths.getByRole('button', { name: 'I Do Not Agree' }).click();
  await maths.getByLabel('Why do you not agree?').fill('Grade 12 is too early');
  await maths.getByRole('button', { name: 'Refuse the Request' }).click();
  await expectToast(phone, 'Request refused');
  await expect(phone.getByText('No request waits for your answer.')).toBeVisible();
  await expect(phone.getByText('Grade 12 is too early')).toBeVisible();

  const staff = await newStaff(fresh);
  const rows = (await (await staff.get('/api/admin/enrollments?status=pending')).json()) as { missing: string[] }[];
  expect(rows.map(({ missing }) => missing)).toEqual([['documents']]);
  // Without a session the page asks for the address.
  const other = await (await browser.newContext()).newPage();
  await other.goto(`${fresh.url}/family/nothing`);
  await expect(other.getByRole('heading', { name: 'This Link No Longer Works' })).toBeVisible();
  await other.getByLabel('Your email address').fill('chidi@mail.example');
  await other.getByRole('button', { name: 'Send Me a Link' }).click();
  await expect(other.getByRole('heading', { name: 'Check Your Inbox' })).toBeVisible();
});

test('the elder of two children disappears from the page on the eighteenth birthday', async ({ page }) => {
  await beforeMidnight(async (school, midnight) => {
    const people = [['Ada Okonkwo', yearsBefore(midnight.after, 18), 'ENG4U'], ['Bola Okonkwo', '2012-05-01', 'MHF4U']] as const;
    for (const [fullName, dateOfBirth, course] of people) {
      const child = await newStudent(school, fullName.slice(0, 3).toLowerCase(), { fullName, dateOfBirth });
      const guardians = [{ name: 'Chidi Okonkwo', email: 'chidi@mail.example' }];
      expect((await child.calls.put('/api/students/guardians', { data: guardians })).ok()).toBe(true);
      await requestCourses(child, [course]);
    }
    await page.goto(await linkTo(school, 'chidi@mail.example', '/family'));
    const child = (name: string) => page.getByRole('heading', { level: 2, name });
    await expect(child('Ada Okonkwo')).toBeVisible();
    await expect(child('Bola Okonkwo')).toBeVisible();
    await midnight.pass();
    await page.reload();
    await expect(child('Bola Okonkwo')).toBeVisible();
    await expect(child('Ada Okonkwo')).toHaveCount(0);
    await expect(page.getByText('One request waits for your answer.')).toBeVisible();
  });
});
