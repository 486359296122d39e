// Behaviour of all screens: layout shifts, forced colours, printing, reduced motion, autofill, pasting, double clicks
// and upgrades.
import type { Page } from '@playwright/test';
import { asDemoStudent, enter, newStudent } from './actors.ts';
import { requestCourses } from './enrollments/actions.ts';
import { hold } from './network.ts';
import { expect, expectToast, test, untilLive } from './school.ts';

/** Total layout shift since the page was opened, including shifts after input. */
async function watchShifts(page: Page) {
  await page.addInitScript(() => {
    const shifts = { sum: 0 };
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.sum += (entry as PerformanceEntry & { value: number }).value;
    }).observe({ type: 'layout-shift', buffered: true });
  });
}

const shifts = (page: Page) => page.evaluate(() => (window as unknown as { shifts: { sum: number } }).shifts.sum);

for (const [link, card] of [['Home', 'h3'], ['Grade 9', 'li.offer h4']] as const) {
  test(`${link}: nothing shifts when the courses land`, async ({ page }) => {
    await watchShifts(page);
    const held = await hold(page, '**/api/courses');
    await page.goto('/about');
    await page.getByRole('contentinfo').getByRole('link', { name: link }).click();
    await expect(page.locator('li.skeleton').first()).toBeAttached();
    await page.evaluate(() => window.scrollTo(0, 0));
    const before = await shifts(page);
    held.release();
    await expect(page.locator('li.skeleton')).toHaveCount(0);
    await expect(page.locator(`main ${card}`).first()).toBeAttached();
    expect((await shifts(page)) - before).toBeLessThan(0.02);
  });
}

test('a double click on Approve approves once', async ({ page, fresh }) => {
  await requestCourses(await newStudent(fresh, 'twice'), ['ENG4U']);
  let approvals = 0;
  await page.route('**/approve', async (route) => {
    approvals += 1;
    await route.continue();
  });
  await enter(page, fresh, '/admin/dashboard');
  await page.getByRole('button', { name: 'Approve' }).dblclick();
  await expectToast(page, 'Enrollment approved');
  await expect(page.getByRole('button', { name: 'Approve' })).toHaveCount(0);
  expect(approvals).toBe(1);
});

test('in forced colours the chosen tab and the present section can still be distinguished', async ({ page, school }) => {
  await page.emulateMedia({ forcedColors: 'active' });
  await page.goto('/courses?grade=10');
  const edge = (name: string) =>
    page.getByRole('tab', { name }).evaluate((tab) => {
      const style = getComputedStyle(tab);
      return `${style.borderBlockEndWidth} ${style.borderBlockEndColor}`;
    });
  expect(await edge('Grade 10')).not.toBe(await edge('Grade 11'));
  await enter(page, school, '/admin/dashboard');
  const line = (name: string) =>
    page.getByRole('navigation', { name: 'Office' }).getByRole('link', { name }).evaluate((link) => getComputedStyle(link).textDecorationLine);
  expect([await line('Dashboard'), await line('Courses')]).toEqual(['underline', 'none']);
});

test('on paper there are the words and nothing to press', async ({ page, school }) => {
  await asDemoStudent(page, school);
  await page.goto('/student/dashboard');
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('heading', { name: 'Profile Status' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Logout' })).toBeHidden();
  await expect(page.getByRole('navigation', { name: 'Student portal' })).toBeHidden();
});

test('with little motion nothing turns, slides or fades', async ({ page, school }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await hold(page, '**/api/admin/enrollments?*');
  await enter(page, school, '/admin/dashboard');
  await expect(page.getByText('Loading requests...')).toBeVisible();
  const longest_s = await page.evaluate(() =>
    Math.max(
      ...[...document.querySelectorAll('*')].flatMap((element) =>
        [undefined, '::before', '::after'].flatMap((part) => {
          const { animationDuration, transitionDuration } = getComputedStyle(element, part);
          return `${animationDuration}, ${transitionDuration}`.split(', ').map(Number.parseFloat);
        }),
      ),
    ),
  );
  expect(longest_s).toBeLessThan(0.001);
  await page.emulateMedia({ colorScheme: 'dark' });
  const changing = await page.evaluate(() => document.getAnimations().filter((each) => each instanceof CSSTransition).length);
  expect(changing, 'the other scheme is there at once').toBe(0);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});

test('a browser can fill in the forms, and what people paste and type is taken', async ({ page, context, school }) => {
  await page.goto('/contact');
  for (const [label, token] of [['Name', 'name'], ['Email', 'email'], ['Phone (optional)', 'tel']] as const) {
    await expect(page.getByLabel(label, { exact: true })).toHaveAttribute('autocomplete', token);
  }
  const person = await newStudent(school, 'paster');
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/student/auth');
  await page.getByLabel('Email', { exact: true }).fill(person.email);
  await page.evaluate((text) => navigator.clipboard.writeText(text), person.password);
  await page.getByLabel('Password', { exact: true }).press('Control+V');
  await page.getByLabel('Password', { exact: true }).press('Enter');
  await expect(page).toHaveURL(/\/student\/dashboard$/);
  await page.goto('/student/dashboard?tab=profile');
  await page.getByRole('button', { name: 'Edit Profile' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit Profile' });
  for (const [name, token] of [
    ['fullName', 'name'], ['dateOfBirth', 'bday'], ['email', 'email'], ['phoneNumber', 'tel'],
    ['address', 'address-line1'], ['city', 'address-level2'], ['province', 'address-level1'], ['postalCode', 'postal-code'],
  ] as const) {
    await expect(dialog.locator(`#profile-${name}`), name).toHaveAttribute('autocomplete', token);
  }
  await dialog.locator('#profile-postalCode').fill(' k1a0b1 ');
  await dialog.locator('#profile-phoneNumber').fill('+1  416 555  0199');
  await dialog.getByRole('button', { name: 'Save Changes' }).click();
  await expectToast(page, 'Profile Updated');
  await expect(page.getByText('K1A 0B1')).toBeVisible();
  await expect(page.getByText('(416) 555-0199')).toBeVisible();
});

test('a page that was open during an upgrade reloads once, and then says that it cannot go on', async ({ page }) => {
  let loads = 0;
  page.on('request', (request) => void (loads += request.isNavigationRequest() ? 1 : 0));
  await page.goto('/about');
  // Missing until the reload, for preloads and imports.
  await page.route('**/assets/ServicesPage*.js', (route) => (loads === 1 ? route.fulfill({ status: 404 }) : route.continue()));
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Our Services' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Our Services' })).toBeVisible();
  expect(loads, 'the page and its one reload').toBe(2);
  await untilLive(page);
  await page.route('**/assets/TextPage*.js', (route) => route.fulfill({ status: 404 }));
  await page.getByRole('contentinfo').getByRole('link', { name: 'Terms of Service' }).click();
  await expect(page.getByRole('heading', { name: 'This page could not be loaded' })).toBeVisible();
  expect(loads, 'no second reload within a minute').toBe(2);
});
