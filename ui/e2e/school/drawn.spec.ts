// Prerendered pages: complete before scripts run, unchanged by hydration, and usable without scripts.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from '@playwright/test';
import { pages } from '../../src/pages.ts';
import { subjectsTo } from '../mail.ts';
import { expectNoOverflow } from '../looks.ts';
import { expect, openSchool, run, type School, test as base, withoutScripts } from '../school.ts';

const groups = {
  'every public page': [...pages.filter(({ area, path }) => area === 'public' && !path.includes(':')).map(({ path }) => path), '/About', '/no/such/page'],
  'the catalogue': ['/courses?grade=9', '/courses?grade=10', '/courses?grade=11', '/courses?grade=12', '/courses?grade=12&utm=letter', '/courses?grade=%31%32'],
  'what is looked for in the catalogue': [
    '/courses?grade=11&q=math', '/courses?grade=9&q=physics', '/courses?grade=11&q=no%20such%20course', '/courses?grade=12&q=writer%E2%80%99s', '/courses?q=%5E',
    '/courses?grade=12&level=University%2FCollege', '/courses?grade=9&level=College', '/courses?q=canada%20%26&level=University&grade=12', '/courses?level=nothing',
  ],
  'one course': [
    '/courses/MHF4U', '/courses/mcv4u', '/courses/ENL1W', '/courses/HZT4U', '/courses/ESLCO', '/courses/CHV2O', '/Courses/ENG4U',
    '/courses/NOSUCH', '/courses/x', '/courses/a%20b%2F%3F',
  ],
  'the form of messages': ['/contact?subject=admission', '/contact?sent', '/contact?subject=other&sent=1', '/apply?sent=A-26-7QK4', '/apply?sent=nothing'],
  'the ways into an account': [
    '/student/auth', '/student/auth?tab=register', '/student/auth?verified=true', '/student/auth?next=/student/courses', '/student/forgot-password', '/student/forgot-password?sent',
    '/student/reset-password/a-token', '/student/reset-password/done', '/student/choose-password/a-token',
    '/application', '/application?sent', '/admin/login', '/admin/forgot-password', '/admin/forgot-password?sent', '/admin/reset-password/a-token', '/admin/reset-password/done',
  ],
};

/** Characters with a meaning in HTML, templates or text nodes. */
const awkward = `</script> & <b> "Q" 'q' {{ school }} {% if %} <!-- é 学校 \u2028`;

const test = base.extend<{ odd: School; bare: School }>({
  odd: async ({}, use) => {
    const settings = { SCHOOLHOUSE_SCHOOL_NAME: awkward, SCHOOLHOUSE_SCHOOL_HOURS: awkward, SCHOOLHOUSE_SCHOOL_STREET: awkward };
    await openSchool(use, settings, (folder) => {
      const quoted = `"${awkward.replaceAll('"', '""')}"`;
      const sheet = ['code,name,description,prerequisite,course_type,is_compulsory,grade,price,credits', `XYZ4U,${quoted},${quoted},${quoted},University,true,12,,0.5`];
      writeFileSync(join(folder, 'odd.csv'), `${sheet.join('\n')}\n`);
      run(['--data-dir', folder, 'import-courses', join(folder, 'odd.csv')]);
    });
  },
  bare: async ({}, use) => openSchool(use),
});

/** The page's elements and texts, with adjacent text nodes joined. */
const standing = (page: Page) =>
  page.evaluate(() => {
    const shape = (node: Node): string => {
      if (!(node instanceof Element)) return node instanceof Text ? node.data : '';
      // Without noscript content, and without parts that depend on the address or scripts.
      if (node.localName === 'noscript') return '';
      // Hours in the reader's zone, which the server does not know.
      if (node.hasAttribute('data-reader')) return '';
      const attributes = [...node.attributes].filter(({ name }) => !['value', 'novalidate', 'disabled', 'data-drawn'].includes(name));
      const own = attributes.map(({ name, value }) => `${name}=${value}`).toSorted().join(' ');
      return `<${node.localName} ${own}>${[...node.childNodes].map(shape).join('')}</>`;
    };
    return shape(document.querySelector('#root') ?? document.body);
  });

/** Expects each address to be the same without scripts and after hydration; `look` checks the page. */
async function expectUnchanged(page: Page, browser: Browser, addresses: string[], look = async () => {}) {
  const asked: string[] = [];
  page.on('request', (request) => void (/\/api\/|\.css$/.test(request.url()) && asked.push(request.url())));
  await withoutScripts(browser, async (plain) => {
    for (const address of addresses) {
      await test.step(address, async () => {
        await page.goto(address);
        await plain.goto(address);
        await expect(plain.getByRole('heading', { level: 1 })).toBeVisible();
        await expectNoOverflow(plain);
        expect(await standing(page), 'the scripts leave what the server sent').toBe(await standing(plain));
        expect(asked, 'nothing is asked for that the page brought').toEqual([]);
        await look();
      });
    }
  });
}

for (const [area, addresses] of Object.entries(groups)) {
  test(`${area}: the same before and after the scripts`, async ({ page, browser, baseURL }) => {
    await expectUnchanged(page, browser, addresses.map((address) => `${baseURL}${address}`));
  });
}

test('facts and courses with signs of HTML stay text, before and after', async ({ page, browser, odd }) => {
  const paths = ['/', '/about', '/contact', '/privacy', '/student/auth', '/student/auth?tab=register', '/application', '/courses/XYZ4U', '/courses?grade=12'];
  const addresses = paths.map((path) => `${odd.url}${path}`);
  await expectUnchanged(page, browser, addresses, () => expect(page.getByRole('banner')).toContainText(awkward.trim()));
  await expect(page.getByRole('tabpanel').getByRole('heading', { level: 4 })).toHaveText(awkward.trim());
  await expect(page.getByText('Half credit')).toBeVisible();
});

test('a school without courses says so, before and after', async ({ page, browser, bare }) => {
  await expectUnchanged(page, browser, ['/', '/courses', '/courses?grade=12&q=x'].map((path) => `${bare.url}${path}`));
  await expect(page.getByRole('heading', { name: 'No Grade 12 courses at this time' })).toBeVisible();
});

test('without scripts the catalogue is filtered by the server', async ({ browser, baseURL }) => {
  await withoutScripts(browser, async (page) => {
    await page.goto(`${baseURL}/courses?grade=12`);
    await page.getByRole('searchbox').fill('français');
    await page.getByRole('searchbox').press('Enter');
    await expect(page).toHaveURL(/grade=12&q=/);
    await expect(page.getByRole('searchbox')).toHaveValue('français');
    await expect(page.getByRole('status')).toHaveText(/^\d+ of 55 courses$/);
    await page.getByRole('searchbox').fill('no such course');
    await page.getByRole('searchbox').press('Enter');
    await expect(page.getByRole('heading', { name: 'No Grade 12 course matches “no such course”' })).toBeVisible();
    await expect(page.getByRole('tab', { name: 'Grade 9 (0)' })).toBeVisible();
    await page.getByRole('link', { name: 'Show All Grade 12 Courses' }).click();
    await expect(page.getByRole('tabpanel').locator('li.offer')).toHaveCount(55);
    await page.getByRole('list', { name: 'Level' }).getByRole('link', { name: /University\/College/ }).click();
    await expect(page.getByRole('status')).toHaveText('13 of 55 courses');
    await page.getByRole('searchbox').fill('a');
    await page.getByRole('searchbox').press('Enter');
    await expect(page, 'what is looked for stays within the level').toHaveURL(/level=University%2FCollege&q=a$/);
    await page.getByRole('tab', { name: /Grade 11/ }).click();
    await expect(page.getByRole('heading', { name: 'Grade 11 Courses' })).toBeVisible();
    await expect(page.getByRole('searchbox')).toHaveValue('a');
    // By keyboard: Playwright treats a `noscript` as covering its content.
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Courses' }).press('Enter');
    await expect(page.getByRole('tab', { name: 'Grade 9' })).toHaveAttribute('aria-selected', 'true');
  });
});

test('without scripts the menu of a phone opens and closes', async ({ browser, baseURL }) => {
  await withoutScripts(browser, async (page) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${baseURL}/`);
    await page.getByRole('button', { name: 'Open menu' }).click();
    const sheet = page.getByRole('dialog', { name: 'Menu' });
    await expect(sheet.getByRole('link', { name: 'Grade 11' })).toBeVisible();
    await sheet.getByRole('button', { name: 'Close menu' }).click();
    await expect(sheet).toBeHidden();
    await page.getByRole('button', { name: 'Open menu' }).click();
    await sheet.getByRole('link', { name: 'About Us' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'About Us' })).toBeVisible();
  });
});

test('without scripts a message is sent; what is wrong with one is said, and what was typed stays', async ({ browser, fresh }) => {
  await withoutScripts(browser, async (page) => {
    await page.goto(`${fresh.url}/contact`);
    await page.getByLabel('Name').fill('');
    await page.getByLabel('Email').fill('amara@mail.example');
    await page.getByLabel('Subject').selectOption('Course Information');
    await page.getByLabel('Message').fill('When does\nWinter begin?');
    await page.getByRole('button', { name: 'Send Message' }).click();
    await expect(page.getByLabel('Name'), 'the browser says it first').toBeFocused();
    await page.getByLabel('Name').fill('   ');
    await page.getByRole('button', { name: 'Send Message' }).click();
    await expect(page.getByRole('alert')).toHaveText('Name must be at least 2 characters');
    await expect(page.getByLabel('Name')).toHaveAccessibleDescription('Name must be at least 2 characters');
    await expect(page.getByLabel('Subject')).toHaveValue('courses');
    await expect(page.getByLabel('Message')).toHaveValue('When does\nWinter begin?');
    await page.getByLabel('Name').fill('Amara Okonkwo');
    await page.getByRole('button', { name: 'Send Message' }).click();
    await expect(page.getByRole('heading', { name: 'Message Sent' })).toBeVisible();
    await page.reload();
    await expect(page.getByRole('heading', { name: 'Message Sent' }), 'and not sent again').toBeVisible();
    await page.getByRole('button', { name: 'Send Another Message' }).click();
    await expect(page.getByLabel('Message')).toHaveValue('');
  });
  await expect.poll(() => subjectsTo(fresh, 'amara@mail.example')).toHaveLength(1);
});

test('what was typed before the script ran is kept, and sent', async ({ page, fresh }) => {
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/assets/ContactPage*.js', (route) => held.then(() => route.fallback()));
  const opened = page.goto(`${fresh.url}/contact?subject=other`);
  await page.getByLabel('Name').fill('Amara Okonkwo');
  await page.getByLabel('Email').fill('amara@mail.example');
  await page.getByLabel('Message').fill('When does Winter begin?');
  release();
  await opened;
  await expect(page.getByLabel('Name')).toHaveValue('Amara Okonkwo');
  await expect(page.getByLabel('Message')).toHaveValue('When does Winter begin?');
  await page.getByRole('button', { name: 'Send Message' }).click();
  await expect(page.getByRole('heading', { name: 'Message Sent' })).toBeVisible();
});

test('what was looked for before the script ran is found', async ({ page }) => {
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/assets/CoursesPage*.js', (route) => held.then(() => route.fallback()));
  const opened = page.goto('/courses?grade=12');
  await page.getByRole('searchbox').fill('ENG4U');
  release();
  await opened;
  await expect(page.getByRole('searchbox')).toHaveValue('ENG4U');
  await expect(page.getByRole('status')).toHaveText('1 of 55 courses');
});

/** Opens a page without interaction, and returns the requested scripts. */
async function openQuietly(browser: Browser, address: string, hasTouch = false) {
  const page = await (await browser.newContext({ hasTouch })).newPage();
  const scripts: string[] = [];
  page.on('request', (request) => void (request.resourceType() === 'script' && scripts.push(request.url())));
  await page.goto(address, { waitUntil: 'networkidle' });
  const isLive = () => page.evaluate(() => !document.querySelector('#root[data-drawn]'));
  return { page, scripts, isLive };
}

const signs: { [sign: string]: (page: Page) => Promise<unknown> } = {
  'the pointer': (page) => page.mouse.move(200, 300),
  'a touch': (page) => page.touchscreen.tap(3, 300),
  'the wheel': (page) => page.mouse.wheel(0, 200),
  'a key': (page) => page.keyboard.press('Tab'),
  'the click of a screen reader': (page) => page.locator('h1').evaluate((heading: HTMLElement) => heading.click()),
};

for (const [sign, give] of Object.entries(signs)) {
  test(`${sign} is the first that a page asks for its scripts at`, async ({ browser, baseURL }) => {
    const { page, scripts, isLive } = await openQuietly(browser, `${baseURL}/`, sign === 'a touch');
    expect(scripts, 'a visitor loads one small script').toEqual([expect.stringContaining('/assets/start-')]);
    expect(await isLive()).toBe(false);
    await give(page);
    await expect.poll(isLive).toBe(true);
    await page.context().close();
  });
}

test('a button that was pressed before the scripts ran is answered once, when they do', async ({ browser, baseURL }) => {
  const { page, isLive } = await openQuietly(browser, `${baseURL}/`);
  await page.getByRole('button', { name: 'Courses' }).click();
  await expect(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Grade 11' })).toBeVisible();
  expect(await isLive()).toBe(true);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.reload({ waitUntil: 'networkidle' });
  await page.getByRole('button', { name: 'Open menu' }).press('Enter');
  await expect.poll(isLive).toBe(true);
  await expect(page.getByRole('dialog', { name: 'Menu' }).getByRole('link', { name: 'Grade 11' })).toBeVisible();
  await page.context().close();
});

test('scripts that did not arrive are asked for again at the next sign', async ({ browser, baseURL }) => {
  const { page, isLive } = await openQuietly(browser, `${baseURL}/`);
  const problems: Error[] = [];
  page.on('pageerror', (problem) => problems.push(problem));
  await page.route(/\/assets\/(?!start-)/, (route) => route.abort('internetdisconnected'));
  const missed = page.waitForEvent('requestfailed');
  await page.mouse.move(200, 300);
  await missed;
  await page.unrouteAll();
  await expect
    .poll(async () => {
      await page.keyboard.press('Tab');
      return isLive();
    })
    .toBe(true);
  expect(problems).toEqual([]);
  await page.context().close();
});

test('an address with ?print asks for paper', async ({ browser, baseURL }) => {
  const page = await browser.newPage();
  await page.addInitScript(() => Object.assign(window, { print: () => document.body.setAttribute('data-printed', '') }));
  for (const address of ['/courses/MHF4U?print', '/terms?print']) {
    await page.goto(baseURL + address);
    await expect(page.locator('body')).toHaveAttribute('data-printed');
  }
  await page.goto(`${baseURL}/terms`, { waitUntil: 'networkidle' });
  await expect(page.locator('body')).not.toHaveAttribute('data-printed');
  await page.close();
});
