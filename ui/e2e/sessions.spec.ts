// Toasts, and sessions that end: by logout, on the server, and in another tab.
import type { Page } from '@playwright/test';
import { asDemoStudent, asStaff, endSession, enter, newStaff, newStudent, signIn } from './actors.ts';
import { expectSound } from './looks.ts';
import { expectQuiet } from './network.ts';
import { expect, expectToast, type School, test, untilLive } from './school.ts';

const toast = (page: Page) => page.locator('.toast');

/** The first request that can be approved with one press. */
const approveButton = (page: Page) =>
  page.getByRole('row').filter({ hasNotText: /(now|was) \$/ }).getByRole('button', { name: 'Approve', exact: true }).first();

/** Shows a toast, by a refused approval. */
async function refusals(page: Page, school: School) {
  await enter(page, school, '/admin/dashboard');
  await page.route('**/approve', (route) => route.fulfill({ status: 409, json: { message: 'Enrollment is not pending' } }));
  await expect(approveButton(page)).toBeVisible();
  return () => approveButton(page).click();
}

test('a toast is alone, says what happened, and disappears after five seconds', async ({ page, school }) => {
  await page.clock.install();
  const refuse = await refusals(page, school);
  await page.clock.pauseAt(Date.now() + 60_000);
  await refuse();
  await expectToast(page, 'Failed to approve enrollment', 'Enrollment is not pending');
  await expect(page.getByRole('region', { name: 'Notifications (F8)' }).getByRole('status')).toContainText('not pending');
  // Move the pointer away from the toast.
  await page.mouse.move(10, 10);
  await page.clock.runFor(4900);
  await expect(toast(page)).toHaveCount(1);
  await page.clock.runFor(200);
  await expect(toast(page)).toHaveCount(0);
});

test('a toast waits while hovered or focused, closes by hand, and the next one disappears', async ({ page, school }) => {
  await page.clock.install();
  const refuse = await refusals(page, school);
  await refuse();
  await expectToast(page, 'Failed to approve enrollment');
  await toast(page).hover();
  await page.clock.runFor(20_000);
  await expect(toast(page)).toHaveCount(1);
  await page.mouse.move(10, 10);
  await page.keyboard.press('F8');
  const region = page.getByRole('region', { name: 'Notifications (F8)' });
  await expect(region).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Close notification' })).toBeFocused();
  await page.clock.runFor(20_000);
  await expect(toast(page)).toHaveCount(1);
  await page.keyboard.press('Escape');
  await expect(toast(page)).toHaveCount(0);
  await expect(approveButton(page), 'the focus is back').toBeFocused();
  await refuse();
  await expect(toast(page)).toHaveCount(1);
  await page.getByRole('button', { name: 'Close notification' }).click();
  await expect(toast(page)).toHaveCount(0);
  await refuse();
  await expect(toast(page)).toHaveCount(1);
  await page.mouse.move(10, 10);
  await page.clock.runFor(5100);
  await expect(toast(page)).toHaveCount(0);
});

test('a toast is seen, focused and closed above an open dialog, which stays open', async ({ page, school }) => {
  // Few courses: axe takes six seconds for the whole catalogue.
  await enter(page, school, '/admin/courses?q=eng4u');
  await page.getByRole('button', { name: 'Add New Course' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create Course' });
  await dialog.getByLabel('Code').fill('TST1O');
  await dialog.getByLabel('Name').fill('A course that is not made');
  await dialog.getByLabel('Description').fill('It is refused by a server that has its own reasons.');
  await page.route('**/api/admin/courses', (route) => route.fulfill({ status: 503, body: '' }));
  await dialog.getByRole('button', { name: 'Create' }).click();
  await expectToast(page, 'Error', 'Failed to create course. Please try again.');
  await expect(dialog.locator('.toast')).toBeInViewport();
  await expectSound(page);
  await page.keyboard.press('F8');
  await page.keyboard.press('Escape');
  await expect(toast(page)).toHaveCount(0);
  await expect(dialog).toBeVisible();
});

test('logging out leaves nothing behind, here or in another tab', async ({ page, context, school }) => {
  await asStaff(page, school);
  const other = await context.newPage();
  await other.goto(`${school.url}/admin/documents`);
  await expect(other.getByRole('heading', { level: 1, name: 'Student Documents' })).toBeVisible();
  await page.goto('/admin/documents');
  await expect(page.getByText('amara.okonkwo@mail.example').first()).toBeVisible();
  await page.getByRole('button', { name: 'Logout' }).click();
  await expectToast(page, 'Logged out', 'You have been logged out successfully.');
  await expect(page).toHaveURL(/\/admin\/login$/);
  await expect(other, 'the other tab noticed').toHaveURL(/\/admin\/login$/);
  await expect(other.getByText('amara.okonkwo@mail.example')).toHaveCount(0);
  await page.goBack();
  await expect(page).toHaveURL(/\/admin\/login/);
  await expect(page.getByText('amara.okonkwo@mail.example')).toHaveCount(0);
});

test('a student logs out to the student login', async ({ page, school }) => {
  await asDemoStudent(page, school);
  await page.goto('/student/dashboard');
  await page.getByRole('button', { name: 'Logout' }).click();
  await expectToast(page, 'Logged out successfully');
  await expect(page).toHaveURL(/\/student\/auth$/);
  await page.goBack();
  await expect(page).toHaveURL(/\/student\/auth/);
  await page.goto('/student/courses');
  await expect(page).toHaveURL(/\/student\/auth\?next=%2Fstudent%2Fcourses$/);
});

test('a failed logout says so, and the session stays', async ({ page, school }) => {
  await enter(page, school, '/admin/dashboard');
  await page.route('**/api/logout', (route) => route.fulfill({ status: 503, contentType: 'text/plain', body: 'The school is closing for the night.' }));
  await page.getByRole('button', { name: 'Logout' }).click();
  await expectToast(page, 'Logout failed', 'The school is closing for the night.');
  await expect(page).toHaveURL(/\/admin\/dashboard$/);
});

test('a session that ends under a form keeps what was typed, and the login leads back to it', async ({ page, school }) => {
  // Few courses: axe takes six seconds for the whole catalogue.
  await enter(page, school, '/admin/courses?q=eng4u');
  await page.getByRole('button', { name: 'Add New Course' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create Course' });
  await dialog.getByLabel('Code').fill('KEP1O');
  await dialog.getByLabel('Name').fill('Kept through the night');
  await dialog.getByLabel('Description').fill('Typed before the session ended and still here.');
  await endSession(page);
  await dialog.getByRole('button', { name: 'Create' }).click();
  const again = page.getByRole('dialog', { name: 'Please log in again' });
  await expect(again).toBeVisible();
  await expectSound(page);
  await expect(again.getByLabel('Username')).toHaveValue(school.staff.username);
  await again.getByLabel('Password', { exact: true }).fill('wrong');
  await again.getByRole('button', { name: 'Login', exact: true }).click();
  await expectToast(page, 'Login failed', 'Invalid username or password');
  await again.getByLabel('Password', { exact: true }).fill(school.staff.password);
  await again.getByRole('button', { name: 'Login', exact: true }).click();
  await expect(again).toHaveCount(0);
  await expect(dialog.getByLabel('Name')).toHaveValue('Kept through the night');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await expectToast(page, 'Course created');
  const calls = await newStaff(school);
  const made = ((await (await calls.get('/api/admin/courses')).json()) as { id: number; code: string }[]).find(({ code }) => code === 'KEP1O');
  await calls.delete(`/api/admin/courses/${made?.id}`);
});

test('declining to log in again logs out for good', async ({ page, school }) => {
  await enter(page, school, '/admin/dashboard');
  const approve = approveButton(page);
  await expect(approve).toBeVisible();
  await endSession(page);
  await approve.click();
  const again = page.getByRole('dialog', { name: 'Please log in again' });
  await expect(again).toBeVisible();
  await page.keyboard.press('Escape');
  const question = page.getByRole('dialog', { name: 'Leave without logging in?' });
  await question.getByRole('button', { name: 'Stay' }).click();
  await expect(again).toBeVisible();
  await again.getByRole('button', { name: 'Close' }).click();
  await question.getByRole('button', { name: 'Leave' }).click();
  await expect(page).toHaveURL(/\/admin\/login$/);
  await expect(page.getByText('amara.okonkwo@mail.example')).toHaveCount(0);
});

test('another user logging in over an ended session starts over', async ({ page, fresh }) => {
  const [one, other] = [await newStudent(fresh, 'one'), await newStudent(fresh, 'other', { fullName: 'Quite Another' })];
  await signIn(page, one);
  await page.goto(`${fresh.url}/student/dashboard?tab=profile`);
  await page.getByRole('button', { name: 'Edit Profile' }).click();
  await expect(page.getByRole('dialog', { name: 'Edit Profile' })).toBeVisible();
  // It reads the profile once more when it opens.
  await expectQuiet(page);
  await endSession(page);
  await page.getByRole('button', { name: 'Save Changes' }).click();
  const again = page.getByRole('dialog', { name: 'Please log in again' });
  await again.getByLabel('Email', { exact: true }).fill(other.email);
  await again.getByLabel('Password', { exact: true }).fill(other.password);
  await again.getByRole('button', { name: 'Login', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Quite Another');
  await expect(page.getByText('one@mail.example')).toHaveCount(0);
});

test('the office’s ended session does not ask a student who logs in afterwards', async ({ page, school }) => {
  await enter(page, school, '/admin/dashboard');
  await expect(approveButton(page)).toBeVisible();
  await endSession(page);
  await approveButton(page).click();
  await expect(page.getByRole('dialog', { name: 'Please log in again' })).toBeVisible();
  // Within the page, like a link.
  await page.evaluate(() => {
    window.history.pushState(null, '', '/student/auth');
    window.dispatchEvent(new PopStateEvent('popstate'));
  });
  await page.getByLabel('Email', { exact: true }).fill(school.student.email);
  await page.getByLabel('Password', { exact: true }).fill(school.student.password);
  await page.getByRole('button', { name: 'Login', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Welcome, Amara');
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

for (const [role, path] of [['student', '/student/dashboard?tab=profile'], ['staff', '/admin/courses']] as const) {
  test(`typed text does not keep a ${role} logged out elsewhere on an empty page`, async ({ page, context, school }) => {
    await (role === 'student' ? asDemoStudent(page, school) : asStaff(page, school));
    await page.goto(path);
    await page.getByRole('button', { name: role === 'student' ? 'Edit Profile' : 'Add New Course' }).click();
    await page.getByRole('dialog').getByRole('textbox').first().fill('Typed and not saved');
    const other = await context.newPage();
    await other.goto(path);
    // Before, it logs out as without scripts, which no other tab hears of.
    await untilLive(other);
    await other.getByRole('button', { name: 'Logout' }).click();
    await expect(page).toHaveURL(role === 'student' ? /\/student\/auth/ : /\/admin\/login/);
    await expect(page.getByRole('button', { name: 'Login', exact: true })).toBeVisible();
  });
}

test('Esc, however often, never buries the question under the form', async ({ page, school }) => {
  await enter(page, school, '/admin/courses?q=eng4u');
  const opener = page.getByRole('button', { name: 'Add New Course' });
  await opener.click();
  await page.getByLabel('Course name').fill('A name');
  for (let presses = 0; presses < 5; presses++) await page.keyboard.press('Escape');
  const question = page.getByRole('dialog', { name: 'Leave without saving?' });
  // An odd number of presses leaves the question open.
  await question.getByRole('button', { name: 'Keep Editing' }).click();
  await expect(page.getByLabel('Course name')).toHaveValue('A name');
  await page.keyboard.press('Escape');
  await question.getByRole('button', { name: 'Discard Changes' }).press('Enter');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(opener, 'the focus is where it was').toBeFocused();
});

test('unsaved changes are asked about before a link, Back or closing the dialog', async ({ page }) => {
  await page.goto('/about');
  await page.goto('/contact');
  const text = page.getByRole('textbox', { name: 'Message' });
  await text.fill('Not sent yet.');
  const question = page.getByRole('dialog', { name: 'Leave without saving?' });
  await page.getByRole('contentinfo').getByRole('link', { name: 'Terms of Service' }).click();
  await expect(question).toBeVisible();
  await expectSound(page);
  await question.getByRole('button', { name: 'Keep Editing' }).click();
  await expect(question).toHaveCount(0);
  await expect(text).toHaveValue('Not sent yet.');
  await expect(page).toHaveURL(/\/contact$/);
  await page.getByRole('contentinfo').getByRole('link', { name: 'Terms of Service' }).click();
  await question.getByRole('button', { name: 'Discard Changes' }).click();
  await expect(page).toHaveURL(/\/terms$/);
});
