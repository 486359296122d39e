// Identity Changes: confirming details changed after an approval.
import type { Page } from '@playwright/test';
import { asRole, endSession, enter, logInAgain, newStaff, newStudent, type Person } from '../actors.ts';
import { approveAll, changeProfile, nextSecond, requestCourses } from '../enrollments/actions.ts';
import { expectSoundInEveryLook } from '../looks.ts';
import { hold } from '../network.ts';
import { expect, expectToast, type School, test } from '../school.ts';

const changes = '/admin/identity-changes';
const list = '**/api/admin/students/identity-changes';

const rows = (page: Page) => page.getByRole('table', { name: 'Changed Details' }).getByRole('rowgroup').nth(1).getByRole('row');
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Confirm these changes?' });
const confirm = (page: Page) => dialog(page).getByRole('button', { name: 'Confirm Identity' });

/** Approved students with later changes. */
async function changed(school: School, people: Record<string, Record<string, string>>): Promise<Person[]> {
  const staff = await newStaff(school);
  const persons = [];
  for (const name of Object.keys(people)) persons.push(await newStudent(school, name, { fullName: `Before ${name}` }));
  for (const person of persons) await requestCourses(person, ['ENG4U']);
  await nextSecond();
  await approveAll(staff);
  for (const [place, change] of Object.values(people).entries()) await changeProfile(persons[place] as Person, change);
  return persons;
}

test('changes are shown in words, confirmed, and gone from the dashboard', async ({ page, fresh }) => {
  test.slow();
  await changed(fresh, {
    amara: { fullName: 'Amara Okonkwo', dateOfBirth: '2008-02-29', canadianStatus: 'permanent_resident' },
    bao: { fullName: 'Bảo Nguyễn' },
  });
  await enter(page, fresh, '/admin/dashboard');
  await page.getByRole('region', { name: 'To Do' }).getByRole('link', { name: '2 identity changes' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Identity Changes' })).toBeFocused();
  await expect(page).toHaveTitle('Identity Changes · Northgate Academy');
  await expect(rows(page)).toHaveCount(2);
  const amara = rows(page).filter({ hasText: 'Amara Okonkwo' });
  for (const [label, before, after] of [
    ['Full name', 'Before amara', 'Amara Okonkwo'],
    ['Date of birth', 'Mar 1, 2009', 'Feb 29, 2008'],
    ['Canadian status', 'International student', 'Permanent resident'],
  ] as const) {
    const fact = amara.locator('dl > div').filter({ hasText: label });
    await expect(fact.locator('del')).toHaveText(`before: ${before}`);
    await expect(fact.locator('ins')).toHaveText(`now: ${after}`);
    await expect(fact.locator('small')).toHaveText(/^[A-Z][a-z]{2} \d{1,2}, \d{4}, \d{1,2}:\d\d [AP]M$/);
  }
  await expectSoundInEveryLook(page);

  const place = async () => (await rows(page).nth(1).boundingBox())?.y;
  const before = await place();
  await amara.getByRole('button', { name: 'Confirm' }).focus();
  await page.keyboard.press('Enter');
  await expect(dialog(page)).toContainText('compared the name and date of birth of Amara Okonkwo with an accepted document');
  await expect(dialog(page).getByRole('link', { name: 'View this student’s documents' })).toHaveAttribute('href', '/admin/documents?q=amara%40mail.example');
  await expectSoundInEveryLook(page);
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toHaveCount(0);
  await expect(amara.getByRole('button', { name: 'Confirm' })).toBeFocused();
  await page.keyboard.press('Enter');
  const slow = await hold(page, '**/confirm-identity');
  await confirm(page).dblclick();
  await expect(dialog(page).getByRole('button', { name: 'Confirming...' })).toBeVisible();
  slow.release();
  await expectToast(page, 'Identity confirmed', 'The details of Amara Okonkwo are recorded as checked.');
  expect(slow.count()).toBe(1);
  await expect(amara.getByText('Confirmed', { exact: true })).toBeVisible();
  await expect(rows(page).nth(1).getByRole('button', { name: 'Confirm' })).toBeFocused();
  expect(await place(), 'no row moved').toBe(before);
  await expect(page.getByText('1 student', { exact: true })).toBeVisible();
  await expectSoundInEveryLook(page);
  await page.keyboard.press('Enter');
  await confirm(page).click();
  await expect(page.getByRole('button', { name: 'Show what remains' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Nothing to confirm' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Changed Details' })).toBeFocused();
  await expectSoundInEveryLook(page);
  await page.getByRole('link', { name: 'Back to Dashboard' }).click();
  await expect(page.getByRole('link', { name: 'View Requests' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'View Changes' })).toHaveCount(0);
});

test('a newer change by the student is not confirmed unseen', async ({ page, fresh }) => {
  const [person] = await changed(fresh, { again: { fullName: 'Second Name' } });
  await enter(page, fresh, changes);
  await rows(page).getByRole('button', { name: 'Confirm' }).click();
  await changeProfile(person as Person, { fullName: 'Third Name' });
  await confirm(page).click();
  await expectToast(page, 'Failed to confirm the identity', 'This student changed these details again.');
  await expect(rows(page)).toContainText('Changed again');
  await page.getByRole('button', { name: 'Show what remains' }).click();
  await expect(rows(page).locator('del')).toHaveText('before: Before again');
  await expect(rows(page).locator('ins')).toHaveText('now: Third Name');
  await expect(rows(page)).toContainText('Changed 2 times');
  await rows(page).getByRole('button', { name: 'Confirm' }).click();
  await confirm(page).click();
  await expectToast(page, 'Identity confirmed');
});

test('a failed confirmation can be retried, and an ended session keeps the place', async ({ page, fresh }) => {
  await changed(fresh, { nodder: { fullName: 'Nod Dernier' } });
  await enter(page, fresh, changes);
  await rows(page).getByRole('button', { name: 'Confirm' }).click();
  await page.route('**/confirm-identity', (route) => route.fulfill({ status: 500, body: '<html>boom</html>' }));
  await confirm(page).click();
  await expectToast(page, 'Failed to confirm the identity', 'The changes could not be confirmed. Please try again.');
  await expect(page.getByText('boom')).toHaveCount(0);
  await page.unroute('**/confirm-identity');
  await endSession(page);
  await confirm(page).click();
  await logInAgain(page, fresh.staff.password);
  await confirm(page).click();
  await expectToast(page, 'Identity confirmed');
});

test('the list shows that it loads, and a failed one can be retried', async ({ page, fresh }) => {
  const slow = await hold(page, list);
  await enter(page, fresh, changes);
  await expect(page.getByText('Loading changes...')).toBeVisible();
  slow.release();
  await expect(page.getByRole('heading', { name: 'Nothing to confirm' })).toBeVisible();
  await page.unrouteAll();
  await page.route(list, (route) => route.fulfill({ status: 500, body: 'oops' }));
  await page.reload();
  await expect(page.getByRole('alert')).toContainText('Failed to load the identity changes. Please try again later.');
  await expectSoundInEveryLook(page);
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByRole('heading', { name: 'Changed Details' })).toBeFocused();
});

test('a request of a student with changed details links there, but not for read-only roles', async ({ page, fresh }) => {
  const [person] = await changed(fresh, { flagged: { fullName: 'Flagged Name' } });
  await requestCourses(person as Person, ['MHF4U']);
  const flag = 'Personal details changed after an approval';
  await enter(page, fresh, '/admin/dashboard');
  await page.getByRole('button', { name: /^More about Flagged Name/ }).click();
  await page.getByRole('link', { name: flag }).click();
  await expect(rows(page)).toContainText('Flagged Name');
  await asRole(page, 'viewer', []);
  await page.goto(`${fresh.url}/admin/dashboard`);
  await page.getByRole('button', { name: /^More about Flagged Name/ }).click();
  await expect(page.getByText(flag)).toBeVisible();
  await expect(page.getByRole('link', { name: flag })).toHaveCount(0);
});
