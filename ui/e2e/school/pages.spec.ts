// Public pages: every look, and navigation.
import { pages } from '../../src/pages.ts';
import { dress, expectNoOverflow, expectSound, expectSoundInEveryLook, looks } from '../looks.ts';
import { expect, openSchool, test } from '../school.ts';

/** Public addresses: the public pages, both logins, and two unknown addresses. */
const openPages = [
  ...pages
    .filter(({ area, path, catches }) => (area === 'public' && !path.includes(':')) || catches)
    .map(({ path, title }) => ({ path, title: title ? `${title} · Northgate Academy` : /^Northgate Academy: / })),
  { path: '/courses?grade=12', title: 'Grade 12 courses · Northgate Academy' },
  { path: '/no/such/page', title: 'Page Not Found · Northgate Academy' },
];

for (const { path, title } of openPages) {
  test(`${path} is titled, sound in every look, and reads at 400 % zoom`, async ({ page }) => {
    const response = await page.goto(path);
    expect(response?.status()).toBe(path === '/no/such/page' ? 404 : 200);
    const sent = /<title>(.*?)<\/title>/.exec((await response?.text()) ?? '')?.[1];
    await expect(page.getByRole('heading', { level: 1, name: /./ })).toBeVisible();
    await expect(page).toHaveTitle(title);
    expect(sent, 'server and interface name the page alike').toBe(await page.title());
    // Other grades are the same list with more cards.
    await expectSoundInEveryLook(page, path.includes('?') ? looks.slice(0, 1) : looks);
    await page.setViewportSize({ width: 320, height: 256 });
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expectNoOverflow(page);
  });
}

test('moving to another page moves title and focus, and Back restores the place', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 700 });
  await page.goto('/about');
  const link = page.getByRole('contentinfo').getByRole('link', { name: 'Privacy Policy' });
  await link.scrollIntoViewIfNeeded();
  const left = await page.evaluate(() => window.scrollY);
  expect(left).toBeGreaterThan(600);
  await link.click();
  await expect(page).toHaveTitle('Privacy Policy · Northgate Academy');
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBeLessThan(100);
  await page.goBack();
  await expect(page).toHaveTitle('About Us · Northgate Academy');
  await expect.poll(async () => Math.abs((await page.evaluate(() => window.scrollY)) - left)).toBeLessThan(4);
});

test('the home page has the specification’s parts and leads where it should', async ({ page }) => {
  await page.goto('/');
  const main = page.getByRole('main');
  for (const [name, path] of [
    ['Explore Courses', '/courses'],
    ['Learn More', '/about'],
    ['View All Courses', '/courses'],
    ['Apply Now', '/apply'],
    ['Contact Us', '/contact'],
  ] as const) {
    await expect(main.getByRole('link', { name }).first()).toHaveAttribute('href', path);
  }
  await expect(page.getByRole('link', { name: 'Admin Login' })).toHaveAttribute('href', '/admin/login');
  for (const name of [
    'Accredited Curriculum', 'Experienced Faculty', 'University Pathways', 'Our Educational Approach',
    'Synchronous Teaching', 'Complete Instruction', 'Late Enrollment Support', 'Upgrade Courses', 'Featured Courses',
    'Enroll in Four Steps', 'Plan with us', 'Open a student account', 'Complete the profile', 'Choose a course',
  ]) {
    await expect(main.getByRole('heading', { name })).toBeVisible();
  }
  // The accessible name starts with the visible label, then names the target, for lists of links.
  const more = main.getByRole('link', { name: 'Learn More' });
  await expect(more).toHaveAccessibleName('Learn More about Northgate Academy');
  expect(await more.locator('.sr-only').evaluate((hidden) => hidden.getBoundingClientRect().width)).toBeLessThanOrEqual(1);
  for (const [name, level] of [['English, Grade 9', 'ENL1W · Open'], ['English, Grade 10', 'ENG2D · Academic'], ['English, Grade 12', 'ENG4U · University']] as const) {
    await expect(main.getByRole('listitem').filter({ has: page.getByRole('heading', { name }), hasText: level })).toBeVisible();
  }
  for (const [name, path] of [[/^158 Courses/, '/courses'], [/^\d+ Universities/, '/about#universities'], [/^2008 /, '/about']] as const) {
    await expect(main.getByRole('link', { name })).toHaveAttribute('href', path);
  }
});

test('the 404 page shows visitors no hint for developers', async ({ page }) => {
  await page.goto('/no/such/page');
  await expect(page.getByRole('main').getByRole('link', { name: 'See the Courses' })).toBeVisible();
  await expect(page.getByText(/router/i)).toHaveCount(0);
});

test('Apply Now leads to the application, from the page and from every header', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('main').getByRole('link', { name: 'Apply Now' }).click();
  await expect(page.getByRole('heading', { name: 'What are you looking for?' })).toBeVisible();
  for (const width of [1280, 1030, 768]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto('/about');
    const apply = page.getByRole('banner').getByRole('link', { name: 'Apply Now' });
    const header = await page.locator('.header-row').boundingBox();
    expect(header?.height, `one line of ${width} pixels holds the menu`).toBeLessThan(120);
    await apply.click();
    await expect(page.getByRole('heading', { name: 'What are you looking for?' })).toBeVisible();
  }
});

test('on a tablet three of a kind stand alike, and the headline keeps clear of the seal', async ({ page }) => {
  await page.setViewportSize({ width: 768, height: 1024 });
  for (const [address, count] of [['/', 6], ['/about', 3], ['/services', 3]] as const) {
    await page.goto(address);
    const widths = await page.locator('.thirds > li').evaluateAll((items) => items.map((item) => Math.round(item.getBoundingClientRect().left)));
    expect(widths).toHaveLength(count);
    expect(new Set(widths).size, `${address}: one below the other`).toBe(1);
  }
  await page.goto('/');
  const [headline, seal] = [await page.getByRole('heading', { level: 1 }).boundingBox(), await page.locator('.seal-ring').boundingBox()];
  expect((headline?.x ?? 0) + (headline?.width ?? 0)).toBeLessThan(seal?.x ?? 0);
});

test('on a phone the contact details come before the form, and the location after it', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/contact');
  const main = page.getByRole('main');
  await expect(main.getByRole('heading', { level: 2 })).toHaveText(['Contact Information', 'Send a Message', 'Location']);
  await expect(main.getByRole('link', { name: '(416) 555-0142' })).toBeInViewport();
  await expect(main.getByRole('heading', { name: 'Send a Message' })).toBeInViewport();
  await expect(main.getByRole('link', { name: /OpenStreetMap/ })).toHaveAttribute('href', /^https:\/\/www\.openstreetmap\.org\/search\?query=/);
});

test('about, services, terms and privacy say what the specification names', async ({ page }) => {
  await page.goto('/about');
  for (const name of ['Academic Excellence', 'Personal Growth', 'Global Perspective', 'Accreditation']) {
    await expect(page.getByRole('heading', { name })).toBeVisible();
  }
  await expect(page.getByText('University of Toronto')).toBeVisible();
  await expect(page.getByRole('heading', { name: '2008' })).toBeVisible();
  await expect(page.getByRole('link', { name: /ministry’s list/ })).toHaveAttribute('href', /^https:\/\/data\.ontario\.ca\//);
  await page.goto('/services');
  for (const name of [
    /^Educational Consultation/, 'Credit Courses', 'University Application Support', 'Tutoring', 'Not sure where to begin?',
  ]) {
    await expect(page.getByRole('main').getByRole('heading', { name })).toBeVisible();
  }
  for (const [path, count] of [['/terms', 10], ['/privacy', 11]] as const) {
    await page.goto(path);
    await expect(page.getByText('Last updated June 1, 2023').or(page.getByText('Last updated: June 1, 2023'))).toBeVisible();
    await expect(page.getByRole('main').getByRole('heading', { level: 2, name: /^\d+\.? / })).toHaveCount(count);
    await expect(page.getByRole('button', { name: 'Print' })).toBeVisible();
    await page.emulateMedia({ media: 'print' });
    await expect(page.getByRole('button', { name: 'Print', includeHidden: true })).toBeHidden();
    await page.emulateMedia({ media: 'screen' });
  }
});

test('the footer names the school, its hours and its number on every page', async ({ page }) => {
  await page.goto('/services');
  const footer = page.getByRole('contentinfo');
  await expect(footer).toContainText('Monday to Friday, 8:30 AM to 4:30 PM');
  await expect(footer).toContainText('880000');
  for (const grade of [9, 10, 11, 12]) {
    await expect(footer.getByRole('link', { name: `Grade ${grade}` })).toHaveAttribute('href', `/courses?grade=${grade}`);
  }
});

test('the courses menu opens by keyboard and closes on Escape and on leaving it', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto('/about');
  const button = page.getByRole('navigation', { name: 'Main' }).getByRole('button', { name: 'Courses' });
  await button.focus();
  await page.keyboard.press('Enter');
  await expect(button).toHaveAttribute('aria-expanded', 'true');
  await expectSound(page);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Escape');
  await expect(button).toHaveAttribute('aria-expanded', 'false');
  await expect(button).toBeFocused();
  await page.keyboard.press('Space');
  for (let presses = 0; presses < 5; presses++) await page.keyboard.press('Tab');
  await expect(button).toHaveAttribute('aria-expanded', 'false');
  await button.click();
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Grade 11' }).click();
  await expect(page).toHaveURL(/\/courses\?grade=11$/);
  await expect(page.getByRole('tab', { name: 'Grade 11' })).toHaveAttribute('aria-selected', 'true');
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`the side sheet holds the same menu, keeps the focus and gives it back, in ${colorScheme}`, async ({ page }) => {
    await dress(page, { width: 390, colorScheme });
    await page.goto('/');
    const open = page.getByRole('button', { name: 'Open menu' });
    await open.click();
    const sheet = page.getByRole('dialog', { name: 'Menu' });
    for (const name of ['Home', 'About Us', 'Our Services', 'Grade 9', 'Grade 10', 'Grade 11', 'Grade 12', 'Contact', 'Apply Now', 'Student Login']) {
      await expect(sheet.getByRole('link', { name, exact: true })).toBeVisible();
    }
    await expectSound(page);
    await page.keyboard.press('Escape');
    await expect(sheet).toBeHidden();
    await expect(open).toBeFocused();
    await open.click();
    await sheet.getByRole('link', { name: 'Grade 10' }).click();
    await expect(sheet).toBeHidden();
    await expect(page).toHaveURL(/grade=10/);
  });
}

test('long facts overflow nothing', async ({ page }) => {
  const name = `Ñandú-${'Wolverhampton'.repeat(6)} 学校 🎓 مدرسة`;
  const settings = { SCHOOLHOUSE_SCHOOL_NAME: name, SCHOOLHOUSE_SCHOOL_TAGLINE: name, SCHOOLHOUSE_SCHOOL_EMAIL: `${'a'.repeat(60)}@example.example` };
  await openSchool(async ({ url }) => {
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      await page.goto(`${url}/contact`);
      await expect(page.getByRole('banner')).toContainText(name);
      await expectNoOverflow(page);
    }
  }, settings);
});

test('a reloaded page begins at its top', async ({ page }) => {
  await page.goto('/about');
  await page.evaluate(() => window.scrollTo(0, 1500));
  await page.goto('/services');
  await expect(page.getByRole('heading', { level: 1, name: 'Our Services' })).toBeVisible();
  expect(await page.evaluate(() => window.scrollY)).toBe(0);
});
