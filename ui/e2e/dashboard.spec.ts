// The office's morning: the three figures, and the requests that wait.
import type { Page } from '@playwright/test';
import { newStaff, newStudent, requestCourses } from './people.ts';
import { dress, expect, expectSound, expectToast, letters, logInStaff, logInStudent, looks, type School, test } from './school.ts';

const failed = 'Failed to load dashboard data. Please try again later.';
const rows = (page: Page) => page.getByRole('table', { name: 'Pending Enrollment Requests' }).getByRole('rowgroup').nth(1).getByRole('row');

/** Reads a card's figure. */
const figure = (page: Page, title: string) =>
  page.locator('section').filter({ has: page.getByRole('heading', { name: title, exact: true }) }).locator('strong');

for (const look of looks) {
  test(`the dashboard is sound at ${look.width} in ${look.colorScheme}`, async ({ page, school }) => {
    await dress(page, look);
    await logInStaff(page, school);
    await expect(rows(page)).toHaveCount(1);
    await expect(page).toHaveTitle('Admin Portal · Northgate Academy');
    await expectSound(page);
    if (look.width > 600) return;
    await page.getByRole('button', { name: 'Open menu' }).click();
    await expect(page.getByRole('dialog', { name: 'Office' })).toBeVisible();
    await expectSound(page);
    await page.getByRole('link', { name: 'Documents', exact: true }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Student Documents' })).toBeFocused();
    await expect(page.getByRole('dialog')).toHaveCount(0);
  });
}

test('a fresh school has nothing pending, nothing due, and says so', async ({ page, fresh }) => {
  await logInStaff(page, fresh);
  await expect(page.getByText('No pending enrollment requests at this time')).toBeVisible();
  for (const [title, value, words] of [
    ['Pending Enrollments', '0', 'Course enrollments awaiting approval'],
    ['Approved Enrollments', '0', 'Total active course enrollments'],
    ['Total Fee Due', '$0.00', 'Total outstanding course fees'],
  ] as const) {
    await expect(figure(page, title)).toHaveText(value);
    await expect(page.getByText(words)).toBeVisible();
  }
  const quick = page.getByRole('region', { name: 'Quick Access' });
  for (const [link, path] of [
    ['View Requests', '/admin/admission-requests'],
    ['Manage Courses', '/admin/courses'],
    ['View Documents', '/admin/documents'],
    ['View Messages', '/admin/messages'],
  ] as const) {
    await expect(quick.getByRole('link', { name: link })).toHaveAttribute('href', path);
  }
  await expectSound(page);
});

/** From now on the dashboard says this, too. */
async function tell(page: Page, facts: object) {
  await page.unroute('**/api/admin/dashboard');
  await page.route('**/api/admin/dashboard', async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, json: { ...(await answer.json()), ...facts } });
  });
}

const done = { lastBackupAt: '2026-10-02T06:31:00Z', lastDrillAt: '2026-10-02T06:32:00Z', hasFailed: false, isLate: false };

for (const look of looks) {
  test(`what is wrong with the server is told, soundly, at ${look.width} in ${look.colorScheme}`, async ({ page, school }) => {
    await dress(page, look);
    await tell(page, { backup: { ...done, hasFailed: true, isLate: true }, isReadOnly: true });
    await logInStaff(page, school);
    await expect(page.getByText('The school can be read but not changed')).toBeVisible();
    await expect(page.getByText('The school is not being backed up')).toBeVisible();
    await expect(page.getByText('Last backup: Oct 2, 2026, 2:31 AM, checked. Please tell')).toBeVisible();
    await expectSound(page);
    await tell(page, { backup: done });
    await page.reload();
    await expect(page.getByText('Last backup: Oct 2, 2026, 2:31 AM, checked.')).toBeVisible();
    await expect(page.getByText('not being backed up')).toHaveCount(0);
    await expect(page.getByText('not changed')).toHaveCount(0);
    await expectSound(page);
  });
}

test('a fresh school is backed up at night, and the demo never', async ({ page, fresh, school }) => {
  await logInStaff(page, fresh);
  await expect(page.getByText('There is no backup yet; the first one is made at night.')).toBeVisible();
  await logInStaff(page, school);
  await expect(page.getByRole('region', { name: 'Quick Access' })).toBeVisible();
  await expect(page.getByText(/backup/i)).toHaveCount(0);
});

test('the student’s request and the office’s approval meet in two browsers', async ({ browser, fresh }) => {
  const person = await newStudent(fresh, 'zoe');
  const [desk, phone] = [await (await browser.newContext()).newPage(), await (await browser.newContext({ viewport: { width: 390, height: 844 } })).newPage()];
  await logInStudent(phone, fresh, person);
  await requestCourses(person, ['ENG4U', 'MHF4U']);
  await logInStaff(desk, fresh);
  await expect(figure(desk, 'Pending Enrollments')).toHaveText('2');
  await expect(rows(desk)).toHaveCount(2);
  const row = rows(desk).filter({ hasText: 'ENG4U' });
  for (const text of ['Zoë Nguyễn-Tremblay', 'zoe@mail.example', '12', 'Feb 1, 2027', 'Jun 1, 2027', 'pending']) {
    await expect(row).toContainText(text);
  }
  const fee = await row.getByRole('cell').nth(5).innerText();
  expect(fee).toMatch(/^\$\d+\.\d\d$/);
  await row.getByRole('button', { name: 'Approve' }).click();
  await expectToast(desk, 'Enrollment approved', 'The student enrollment has been approved successfully.');
  await expect(rows(desk).filter({ hasText: 'MHF4U' }).getByRole('button', { name: 'Approve' })).toBeFocused();
  await expect(rows(desk)).toHaveCount(2);
  await expect(row.getByText('active', { exact: true })).toBeVisible();
  await expect(row).not.toContainText('pending');
  await expect(row).not.toContainText('Approve');
  await expect(desk.getByText('1 request', { exact: true })).toBeVisible();
  await expect(figure(desk, 'Pending Enrollments')).toHaveText('1');
  await expect(figure(desk, 'Approved Enrollments')).toHaveText('1');
  await expect(figure(desk, 'Total Fee Due')).toHaveText(fee);
  await phone.goto(`${fresh.url}/student/dashboard?tab=courses`);
  const courses = phone.getByRole('tabpanel');
  await expect(courses.getByText('active', { exact: true })).toHaveCount(1);
  await expect(courses.getByText('pending', { exact: true })).toHaveCount(1);
  await expect.poll(() => letters(fresh, 'zoe@mail.example').filter((text) => text.includes('Subject: Your enrollment is approved')).length).toBe(1);
});

/** Thirty requests of one student, as of a course each. */
async function thirtyRequests(school: School) {
  const person = await newStudent(school, 'many');
  const courses = (await (await person.calls.get('/api/courses')).json()) as { code: string }[];
  await requestCourses(person, courses.slice(0, 30).map(({ code }) => code));
}

test('more requests than a page holds are turned, searched, and found again after a reload', async ({ page, fresh }) => {
  await thirtyRequests(fresh);
  await logInStaff(page, fresh);
  await expect(rows(page)).toHaveCount(25);
  await expect(page.getByText('1 to 25 of 30')).toBeVisible();
  await page.getByRole('button', { name: 'Next' }).click();
  await expect(rows(page)).toHaveCount(5);
  await expect(page).toHaveURL(/\?page=2$/);
  await page.reload();
  await expect(rows(page)).toHaveCount(5);
  await page.goto(`${fresh.url}/admin/dashboard?page=99`);
  await expect(page, 'a page that is not there leads to the last one').toHaveURL(/\?page=2$/);
  const search = page.getByRole('searchbox');
  await search.fill('nguyen eng');
  await expect(page).toHaveURL(/q=nguyen/);
  await expect(rows(page).first()).toContainText('Nguyễn');
  await search.fill('nobody at all');
  await expect(page.getByText('No request matches your search')).toBeVisible();
  await expectSound(page);
  await page.reload();
  await expect(search).toHaveValue('nobody at all');
});

test('a press aims at one student, however soon the one before was decided', async ({ page, fresh }) => {
  test.slow();
  await thirtyRequests(fresh);
  await logInStaff(page, fresh);
  await expect(rows(page)).toHaveCount(25);
  const button = (place: number) => rows(page).nth(place).getByRole('button', { name: 'Approve' });
  const approved = async (place: number) => {
    await expect(rows(page).nth(place).getByText('active', { exact: true })).toBeVisible();
    return expect(rows(page).getByText('active', { exact: true })).toHaveCount(place + 1);
  };
  const gaps = [0, 50, 150, 300, 500, 800, 1050, 1300, 1600, 2000];
  for (const [step, gap_ms] of gaps.entries()) {
    const [first, second] = [step * 2, step * 2 + 1];
    await button(second).scrollIntoViewIfNeeded();
    const [own, next] = [await button(first).boundingBox(), await button(second).boundingBox()];
    const middle = (box: typeof own) => [(box?.x ?? 0) + (box?.width ?? 0) / 2, (box?.y ?? 0) + (box?.height ?? 0) / 2] as const;
    await page.mouse.click(...middle(own));
    await page.waitForTimeout(gap_ms);
    // The same place once more hits nobody; the next row's button is where it was.
    await page.mouse.click(...middle(own));
    await page.mouse.click(...middle(next));
    await approved(second);
  }
  await expect(figure(page, 'Approved Enrollments')).toHaveText('20');
  await page.getByRole('button', { name: 'Show the next ones' }).click();
  await expect(rows(page)).toHaveCount(10);
  await expect(page.getByRole('heading', { name: 'Pending Enrollment Requests' })).toBeFocused();
});

test('a key that is pressed twice approves one student', async ({ page, fresh }) => {
  await requestCourses(await newStudent(fresh, 'keys'), ['ENG4U', 'MHF4U', 'SCH4U']);
  await logInStaff(page, fresh);
  await page.getByRole('button', { name: 'Approve' }).first().focus();
  // A key press in the very moment of the focus is one for the row before.
  await page.clock.install();
  await page.clock.runFor(1000);
  await page.keyboard.press('Enter');
  await expect(rows(page).nth(1).getByRole('button')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(rows(page).getByText('active', { exact: true })).toHaveCount(1);
  await page.clock.runFor(1000);
  await page.keyboard.press('Enter');
  await expect(rows(page).getByText('active', { exact: true })).toHaveCount(2);
});

test('where the price has changed since the request the office chooses', async ({ page, fresh }) => {
  const person = await newStudent(fresh, 'price');
  await requestCourses(person, ['ENG4U', 'MHF4U']);
  const staff = await newStaff(fresh);
  const courses = (await (await staff.get('/api/admin/courses')).json()) as { id: number; code: string; price: number }[];
  const course = courses.find(({ code }) => code === 'ENG4U');
  expect((await staff.patch(`/api/admin/courses/${course?.id}`, { data: { price: 999 } })).ok()).toBe(true);
  await logInStaff(page, fresh);
  const row = rows(page).filter({ hasText: 'ENG4U' });
  await expect(row).toContainText('now $999.00');
  await row.getByRole('button', { name: 'Approve' }).click();
  const dialog = page.getByRole('dialog', { name: 'At which price?' });
  await expect(dialog.getByRole('radio', { name: /as quoted/ })).toBeChecked();
  await expectSound(page);
  await dialog.getByRole('radio', { name: /price today/ }).check();
  await dialog.getByRole('button', { name: 'Approve' }).click();
  await expectToast(page, 'Enrollment approved');
  await expect(figure(page, 'Total Fee Due')).toHaveText('$999.00');
  await expectSound(page);
});

for (const [width, height] of [[1280, 720], [1366, 768], [390, 844]] as const) {
  test(`the toast leaves the next Approve free at ${width}`, async ({ page, fresh }) => {
    await thirtyRequests(fresh);
    await page.setViewportSize({ width, height });
    await logInStaff(page, fresh);
    for (let place = 0; place < 6; place += 1) {
      await rows(page).nth(place).getByRole('button', { name: 'Approve' }).click();
      const next = rows(page).nth(place + 1).getByRole('button', { name: 'Approve' });
      await expect(next).toBeFocused();
      await next.scrollIntoViewIfNeeded();
      const [toast, box] = [await page.locator('.toaster').boundingBox(), await next.boundingBox()];
      const isApart = !toast || !box || toast.x + toast.width <= box.x || box.x + box.width <= toast.x
        || toast.y + toast.height <= box.y || box.y + box.height <= toast.y;
      expect(isApart, JSON.stringify({ place, toast, box })).toBe(true);
    }
  });
}

test('whoever goes on typing while a request is approved is not called back', async ({ page, school }) => {
  await logInStaff(page, school);
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/approve', async (route) => {
    await held;
    await route.fulfill({ json: {} });
  });
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.getByRole('searchbox').pressSequentially('am');
  release();
  await expectToast(page, 'Enrollment approved');
  await page.keyboard.type('ara');
  await expect(page.getByRole('searchbox')).toHaveValue('amara');
});

for (const width of [1280, 1240, 1150, 1100, 1040, 960, 900, 700]) {
  test(`every button of a row can be reached at ${width}`, async ({ page, school }) => {
    await page.setViewportSize({ width, height: 900 });
    await logInStaff(page, school);
    for (const [path, name] of [['/admin/dashboard', 'Approve'], ['/admin/documents', /View Document/], ['/admin/admission-requests', /View Request/]] as const) {
      await page.goto(path);
      const button = page.getByRole('table').getByRole(path.endsWith('documents') ? 'link' : 'button', { name }).first();
      await button.scrollIntoViewIfNeeded();
      const [box, card] = [await button.boundingBox(), await page.locator('.table-card').boundingBox()];
      expect((box?.x ?? 0) + (box?.width ?? 0), path).toBeLessThanOrEqual((card?.x ?? 0) + (card?.width ?? 0));
    }
  });
}

test('a request that was decided elsewhere is told on its row', async ({ page, fresh }) => {
  const person = await newStudent(fresh, 'late');
  await requestCourses(person, ['ENG4U']);
  await logInStaff(page, fresh);
  await expect(rows(page)).toHaveCount(1);
  const own = (await (await person.calls.get('/api/students/enrollments')).json()) as { id: number }[];
  expect((await person.calls.post(`/api/students/enrollments/${own[0]?.id}/withdraw`)).ok()).toBe(true);
  await page.getByRole('button', { name: 'Approve' }).click();
  await expectToast(page, 'Failed to approve enrollment', 'This enrollment is withdrawn and can no longer be approved.');
  const row = rows(page).first();
  await expect(row.getByText('withdrawn', { exact: true })).toBeVisible();
  await expect(row).toContainText('Decided meanwhile');
  await expectSound(page);
  await page.getByRole('button', { name: 'Show the next ones' }).click();
  await expect(page.getByText('No pending enrollment requests at this time')).toBeVisible();
});

test('an approval that fails says so without the server’s insides', async ({ page, school }) => {
  await logInStaff(page, school);
  await page.route('**/approve', (route) => route.fulfill({ status: 500, body: '<html>panic at src/main.rs</html>' }));
  await page.getByRole('button', { name: 'Approve' }).click();
  await expectToast(page, 'Failed to approve enrollment', 'An error occurred while approving the enrollment.');
  await expect(page.getByText('panic')).toHaveCount(0);
});

test('a dashboard that cannot be loaded says so and can be tried again', async ({ page, school }) => {
  await page.route('**/api/admin/dashboard', (route) => route.fulfill({ status: 500, body: 'oops' }));
  await page.route('**/api/admin/enrollments/pending*', (route) => route.abort('internetdisconnected'));
  await logInStaff(page, school);
  await expect(page.getByText(failed)).toHaveCount(1);
  await expectSound(page);
  const retry = page.getByRole('button', { name: 'Retry' });
  await page.unroute('**/api/admin/enrollments/pending*');
  await retry.click();
  await expect(rows(page)).toHaveCount(1);
  await expect(page.getByText(failed), 'the figures are still missing').toHaveCount(1);
  await page.unrouteAll();
  await retry.click();
  await expect(page.getByText(failed)).toHaveCount(0);
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await expect(figure(page, 'Pending Enrollments')).toHaveText('1');
});

test('a list that fails alone says so where it would stand, and is asked for again there', async ({ page, school }) => {
  await page.route('**/api/admin/enrollments/pending*', (route) => route.fulfill({ status: 500, body: 'oops' }));
  await logInStaff(page, school);
  await expect(page.getByRole('region', { name: 'Pending Enrollment Requests' }).getByText(failed)).toBeVisible();
  await expect(page.getByText(failed)).toHaveCount(1);
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(rows(page)).toHaveCount(1);
});

test('slow figures and rows are awaited in sight', async ({ page, school }) => {
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/api/admin/enrollments/pending*', async (route) => {
    await held;
    await route.continue();
  });
  await logInStaff(page, school);
  await expect(page.getByText('Loading requests...')).toBeVisible();
  release();
  await expect(rows(page)).toHaveCount(1);
});
