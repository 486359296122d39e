// What the four list screens of the office share: states, roles and looks.
import { asRole, endSession, enter, logInAgain } from '../actors.ts';
import { expectSound, expectSoundInEveryLook } from '../looks.ts';
import { leaveNew } from '../messages/messages.ts';
import { expectQuiet } from '../network.ts';
import { expect, test } from '../school.ts';

const screens = [
  {
    path: '/admin/courses', title: 'Course Management', call: '**/api/admin/courses',
    failed: 'Failed to load courses. Please try again later.', shows: 'ENL1W',
  },
  {
    path: '/admin/documents', title: 'Student Documents', call: '**/api/admin/documents?*',
    failed: 'Failed to load documents. Please try again later.', shows: 'School Transcript',
  },
  {
    path: '/admin/messages', title: 'Messages', call: '**/api/admin/messages?*',
    failed: 'Failed to load messages. Please try again later.', shows: 'Søren Kjær',
  },
  {
    path: '/admin/admission-requests', title: 'Admission Requests', call: '**/api/admin/admission-requests?*',
    failed: 'Failed to load admission requests. Please try again later.', shows: 'Anaïs Núñez-Gagné',
  },
];

test('an ended session is resumed by a login, and there is a way back', async ({ page, school }) => {
  await enter(page, school, '/admin/dashboard');
  // The title is shown before anything is loaded.
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  await endSession(page);
  await page.getByRole('navigation', { name: 'Office' }).getByRole('link', { name: 'Messages' }).click();
  await logInAgain(page, school.staff.password);
  await expect(page.getByText('Søren Kjær').first()).toBeVisible();
  await page.getByRole('link', { name: 'Back to Dashboard' }).click();
  await expect(page).toHaveURL(/\/admin\/dashboard$/);
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
});

test('invalid list parameters in the address are ignored', async ({ page, school }) => {
  const refused: string[] = [];
  page.on('response', (answer) => void (answer.status() === 400 && refused.push(answer.url())));
  await enter(page, school, '/admin/dashboard?sort=bogus');
  for (const [address, title] of [
    ['/admin/enrollments?sort=bogus', 'Enrollments'],
    ['/admin/enrollments?grade=13&term=2027-13', 'Enrollments'],
    ['/admin/audit?from=garbage&to=2027-02-30', 'Audit'],
    ['/admin/audit?student=abc', 'Audit'],
    ['/admin/mail?status=bogus', 'Mail'],
  ] as const) {
    await page.goto(address);
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
    await expectQuiet(page);
    await expect(page.getByText(/^Failed to load/)).toHaveCount(0);
  }
  expect(refused).toEqual([]);
});

test('a page that a role has no access to says so, and is sound', async ({ page, school }) => {
  await asRole(page, 'viewer', ['admissions']);
  await enter(page, school, '/admin/messages');
  await expect(page.getByText('You don’t have access to Messages')).toBeVisible();
  await expectSound(page);
  await page.goto('/admin/courses?view=cards&q=enl1w');
  await expect(page.locator('.managed-course')).toHaveCount(1);
  await expect(page.getByRole('button', { name: /Add|Edit|Delete/ })).toHaveCount(0);
  await page.getByRole('link', { name: 'Back to Dashboard' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Admin Portal' })).toBeVisible();
});

test('the catalogue’s management and its dialogs are sound in every look', async ({ page, school }) => {
  await enter(page, school, '/admin/courses?view=cards&q=eng4u');
  await expect(page.locator('.managed-course')).toHaveCount(1);
  await page.getByRole('button', { name: 'Add New Course' }).click();
  await page.getByLabel('Course code').fill('MCR3U');
  await page.getByRole('button', { name: 'Create Course' }).click();
  await expect(page.getByRole('alert')).toBeFocused();
  await expectSoundInEveryLook(page);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Discard Changes' }).click();
  await page.getByRole('button', { name: 'Delete ENG4U' }).click();
  await expectSoundInEveryLook(page);
  await page.goto('/admin/courses?q=zzz');
  await expect(page.getByText('No course matches your search')).toBeVisible();
  await expectSoundInEveryLook(page);
});

test('an open message and an open request are sound in every look', async ({ page, school }) => {
  await leaveNew(page);
  await enter(page, school, '/admin/messages');
  await page.getByRole('link', { name: /Zoë Müller/ }).click();
  await expect(page.getByRole('article')).toBeVisible();
  await expectSoundInEveryLook(page);
  await page.goto('/admin/admission-requests');
  await page.getByRole('link', { name: /View Request/ }).first().click();
  await expect(page.getByRole('heading', { name: 'Timeline' })).toBeVisible();
  await expectSoundInEveryLook(page);
});

for (const { path, title, call, failed } of screens) {
  test(`${title}: without rows, and failed, it is sound in every look`, async ({ page, school }) => {
    await page.route(call, (route) => route.fulfill({ json: [], headers: { 'X-Total-Count': '0' } }));
    await enter(page, school, path);
    await expect(page.getByRole('heading', { level: 3 })).toBeVisible();
    await expectSoundInEveryLook(page);
    await page.unrouteAll();
    await page.route(call, (route) => route.fulfill({ status: 500, body: '' }));
    await page.reload();
    await expect(page.getByText(failed)).toBeVisible();
    await expectSoundInEveryLook(page);
  });
}

test('nothing is cut off or wider than the smallest screen', async ({ page, school }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  for (const { path, shows } of screens) {
    await enter(page, school, `${path}?q=${encodeURIComponent(shows)}`);
    await expect(page.getByText(shows).filter({ visible: true }).first()).toBeVisible();
    await expectSound(page);
  }
  await page.getByRole('link', { name: /View Request/ }).click();
  await expect(page.getByRole('heading', { name: 'Timeline' })).toBeVisible();
  await expectSound(page);
  await page.goto('/admin/courses?view=cards&q=enl1w');
  await page.getByRole('button', { name: 'Edit ENL1W' }).click();
  await expectSound(page);
});

test('no list is wider than its card, on a desk, with a scroll bar beside it, or on a tablet', async ({ page, school }) => {
  for (const path of ['/admin/dashboard', '/admin/enrollments', '/admin/students', '/admin/courses/1']) {
    await enter(page, school, path);
    await expect(page.getByRole('table').first()).toBeVisible();
    for (const width of [1440, 1265, 1240, 1024, 820, 768, 690]) {
      await page.setViewportSize({ width, height: 900 });
      const overflow = await page.locator('.list-card').evaluateAll((cards) => cards.map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth));
      expect(overflow.filter((pixels) => pixels > 0), `${path} at ${width}`).toEqual([]);
    }
  }
});
