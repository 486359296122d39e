// The first answer of the portals' pages: a frame for their owners, the login for visitors, and what works without scripts.
import { asDemoStudent, enter } from '../actors.ts';
import { expect, test, withoutScripts } from '../school.ts';

for (const [who, path, ask, heading] of [
  ['student', '/student/dashboard', '/api/students/me', /^Welcome, /],
  ['office', '/admin/dashboard', '/api/user', 'Admin Portal'],
] as const) {
  test(`the ${who}'s first answer is a frame, which the page replaces without moving`, async ({ page, school }) => {
    const asked: string[] = [];
    page.on('request', (request) => void asked.push(new URL(request.url()).pathname));
    await page.addInitScript(() => {
      const shifts: number[] = [];
      new PerformanceObserver((list) => list.getEntries().forEach((entry) => shifts.push((entry as unknown as { value: number }).value))).observe({ type: 'layout-shift', buffered: true });
      Object.assign(window, { shifts });
    });
    if (who === 'student') await asDemoStudent(page, school);
    else await enter(page, school, path);
    asked.length = 0;
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading);
    await expect(page.locator('main [aria-busy="true"]:not(:empty)')).toHaveCount(0);
    expect(asked.filter((each) => each === ask), 'the head of the page has asked for it').toHaveLength(1);
    const shifts = await page.evaluate(() => (window as unknown as { shifts: number[] }).shifts);
    expect(shifts.reduce((sum, shift) => sum + shift, 0)).toBeLessThan(0.02);
  });
}

test('a visitor is sent to the login before anything is drawn, and asked for by no call', async ({ page }) => {
  const failed: string[] = [];
  page.on('response', (response) => void (response.status() >= 400 && failed.push(response.url())));
  await page.goto('/student/dashboard?tab=profile');
  await expect(page).toHaveURL(/\/student\/auth\?next=%2Fstudent%2Fdashboard%3Ftab%3Dprofile$/);
  await page.goto('/');
  await page.getByRole('link', { name: 'Student Login' }).first().click();
  await expect(page.getByRole('heading', { level: 1, name: 'Student Login' })).toBeFocused();
  await page.goto('/admin/mail');
  await expect(page).toHaveURL(/\/admin\/login\?next=%2Fadmin%2Fmail$/);
  expect(failed).toEqual([]);
});

test('without scripts a student logs in and out, and is told what needs them', async ({ browser, school }) => {
  await withoutScripts(browser, async (page) => {
    await page.goto(`${school.url}/student/dashboard`);
    // Every button works: those that need the interface are not shown.
    await expect(page.getByRole('main').getByRole('button')).toHaveText(['Login']);
    await page.getByLabel('Email').fill(school.student.email);
    await page.getByLabel('Password', { exact: true }).fill('not this one, surely');
    await page.getByRole('button', { name: 'Login' }).click();
    await expect(page.getByRole('alert')).toHaveText('Invalid email or password');
    await expect(page.getByLabel('Email')).toHaveValue(school.student.email);
    await page.getByLabel('Password', { exact: true }).fill(school.student.password);
    await page.getByRole('button', { name: 'Login' }).click();
    await expect(page).toHaveURL(/\/student\/dashboard$/);
    await expect(page.locator('noscript p')).toHaveText(/^This page needs JavaScript\./);
    await page.getByRole('button', { name: 'Logout' }).click();
    await expect(page).toHaveURL(/\/student\/auth$/);
  });
});
