// A demo school of the real binary for each worker, and what tests ask of a page.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { test as base, expect, type Page } from '@playwright/test';
import type Axe from 'axe-core';
import { pages } from '../src/pages.ts';

const binary =
  process.env.SCHOOLHOUSE ??
  fileURLToPath(new URL('../../target/x86_64-unknown-linux-gnu/debug/schoolhouse', import.meta.url));

/** Run in the page itself: the wrapper for Playwright opens a second page for each look, which takes four times as long. */
const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

declare const axe: typeof Axe;

export type School = {
  url: string;
  /** The folder in which it writes its mail. */
  mail: string;
  student: { email: string; password: string };
  staff: { username: string; password: string };
};

/** Every test comes from the same address: what visitors may do in an hour is not tested here. */
const environment = {
  PATH: process.env.PATH,
  SCHOOLHOUSE_LIMITS_CONTACTS_PER_HOUR: '10000',
  SCHOOLHOUSE_LIMITS_LOGINS_PER_MINUTE: '10000',
  SCHOOLHOUSE_LIMITS_REGISTRATIONS_PER_HOUR: '10000',
  SCHOOLHOUSE_LIMITS_UPLOADS_PER_HOUR: '10000',
  SCHOOLHOUSE_LIMITS_PASSWORD_RESETS_PER_HOUR: '10000',
  SCHOOLHOUSE_LIMITS_LINKS_PER_HOUR: '10000',
  SCHOOLHOUSE_MAIL_RECIPIENT_PER_HOUR: '10000',
  SCHOOLHOUSE_MAIL_RECIPIENT_PER_DAY: '10000',
  SCHOOLHOUSE_MAIL_ACCOUNT_PER_DAY: '10000',
  SCHOOLHOUSE_MAIL_STRANGERS_PER_DAY: '10000',
  SCHOOLHOUSE_MAIL_OFFICE_COPIES_PER_HOUR: '10000',
};

/** Starts a server and waits for what it prints when it is open. */
async function start(args: string[], wanted: RegExp): Promise<{ process: ChildProcess; printed: string }> {
  const child = spawn(binary, args, { env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
  const printed = await new Promise<string>((resolve, reject) => {
    let text = '';
    const hear = (chunk: Buffer) => {
      text += chunk.toString();
      if (wanted.test(text)) resolve(text);
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.on('exit', (status) => reject(new Error(`The server ended with status ${status}: ${text}`)));
  });
  return { process: child, printed };
}

/** The demo on a free port; its notice tells where it is and who may log in. */
async function openDemo(): Promise<{ school: School; process: ChildProcess }> {
  const { process: child, printed } = await start(['serve', '--demo', '--listen', '127.0.0.1:0'], /thrown away/);
  const url = /open at (\S+)/.exec(printed)?.[1];
  const mail = /written to (\S+)/.exec(printed)?.[1];
  const [, email, studentPassword] = /Student .*\n\s+(\S+)\s+(\S+)/.exec(printed) ?? [];
  const [, username, staffPassword] = /Office .*\n\s+(\S+)\s+(\S+)/.exec(printed) ?? [];
  if (!url || !mail || !email || !studentPassword || !username || !staffPassword) {
    throw new Error(`The demo did not open: ${printed}`);
  }
  const student = { email, password: studentPassword };
  return { school: { url, mail, student, staff: { username, password: staffPassword } }, process: child };
}

/** A school as a volunteer makes it: an empty folder, one admin, the catalogue. Nobody is registered. */
async function openFresh(): Promise<{ school: School; process: ChildProcess; folder: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'schoolhouse-e2e-'));
  const run = (args: string[], input = '') =>
    execFileSync(binary, ['--data-dir', folder, ...args], { env: environment, input, stdio: ['pipe', 'ignore', 'pipe'] });
  const staff = { username: 'principal', password: 'A long password, 42 times' };
  run(['create-admin', '--username', staff.username, '--email', 'principal@northgate.example', '--password-stdin'], staff.password);
  run(['import-courses', fileURLToPath(new URL('../../examples/ontario-courses.csv', import.meta.url))]);
  const { process: child, printed } = await start(['--data-dir', folder, 'serve', '--listen', '127.0.0.1:0'], /http:\/\/127\.0\.0\.1:\d+/);
  const url = /http:\/\/127\.0\.0\.1:\d+/.exec(printed)?.[0] ?? '';
  const student = { email: 'nobody@mail.example', password: 'nobody is registered' };
  return { school: { url, mail: join(folder, 'mail'), student, staff }, process: child, folder };
}

type Fixtures = { watched: void; delayed: void; fresh: School };
type WorkerFixtures = { school: School };

export const test = base.extend<Fixtures, WorkerFixtures>({
  school: [
    async ({}, use) => {
      const { school, process: child } = await openDemo();
      await use(school);
      child.kill('SIGTERM');
    },
    { scope: 'worker' },
  ],
  /** A school without students, for one test. Its addresses are written out: `${fresh.url}/admin/login`. */
  fresh: async ({}, use) => {
    const { school, process: child, folder } = await openFresh();
    await use(school);
    child.kill('SIGTERM');
    await once(child, 'exit');
    rmSync(folder, { recursive: true });
  },
  baseURL: async ({ school }, use) => use(school.url),
  /** Every page is watched: an error or a warning on its console, or a request to anybody else, fails the test. */
  watched: [
    async ({ page }, use) => {
      const troubles: string[] = [];
      page.on('console', (message) => {
        // A failed call is the network's message; the tests provoke those on purpose.
        if (['error', 'warning'].includes(message.type()) && !message.text().startsWith('Failed to load resource')) {
          troubles.push(message.text());
        }
      });
      page.on('pageerror', (error) => troubles.push(String(error)));
      page.on('request', (request) => {
        if (!request.url().startsWith('http://127.0.0.1:') && !/^(data|blob):/.test(request.url())) troubles.push(request.url());
      });
      await use();
      expect(troubles).toEqual([]);
    },
    { auto: true },
  ],
  /** `SLOW=400 make browser`: scripts and answers come that many milliseconds late, so that a race is lost every time. */
  delayed: [
    async ({ page }, use) => {
      const delay = Number(process.env.SLOW ?? 0);
      if (delay > 0) {
        await page.route(/\/assets\/.*\.js$|\/api\//, async (route) => {
          await sleep(delay);
          // The test may have gone on to another page, or have ended.
          await route.continue().catch(() => {});
        });
      }
      await use();
    },
    { auto: true },
  ],
});

export { expect };

/** What anybody may open: the public pages and the two logins, and two addresses that the table has no row for. */
export const openPages = [
  ...pages
    .filter(({ area, catches }) => area === 'public' || catches)
    .map(({ path, title }) => ({ path, title: title ? `${title} · Northgate Academy` : /^Northgate Academy: / })),
  { path: '/courses?grade=12', title: 'Grade 12 courses · Northgate Academy' },
  { path: '/no/such/page', title: 'Page Not Found · Northgate Academy' },
];

export const looks = ([1280, 390] as const).flatMap((width) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ width, colorScheme })),
);

/** Dresses the page: width, scheme, and nothing that moves while it is looked at. */
export async function dress(page: Page, look: (typeof looks)[number]) {
  await page.setViewportSize({ width: look.width, height: 900 });
  await page.emulateMedia({ colorScheme: look.colorScheme, reducedMotion: 'reduce' });
}

/** Ends the session behind the page's back. */
export async function endSession(page: Page) {
  // A call that is still on its way would meet the end before the test does.
  await page.waitForLoadState('networkidle');
  await page.context().clearCookies();
}

/** Accessibility without a finding, and nothing wider than the screen. */
export async function expectSound(page: Page) {
  // A page whose script is still on its way has no heading yet.
  await expect(page.locator('h1').first()).toBeVisible();
  // A colour that is on its way to another scheme, and a dialog that opens, have a contrast of their own.
  await page.waitForFunction(() =>
    !document.getAnimations().some((each) => each.playState === 'running' && each.effect?.getComputedTiming().iterations !== Infinity),
  );
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeSource);
  const findings = await page.evaluate(async () => {
    // Targets of 24 pixels (WCAG 2.2) are not looked at unless asked for.
    const { violations } = await axe.run(document, { resultTypes: ['violations'], rules: { 'target-size': { enabled: true } } });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`);
  });
  expect(findings).toEqual([]);
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect(overflow, 'the page scrolls sideways').toBe(0);
}

/** The e-mails in the spool to one address, each as its raw text, oldest first. */
export function emails(school: School, to: string): string[] {
  return readdirSync(school.mail)
    .filter((name) => name.endsWith('.eml'))
    .map((name) => join(school.mail, name))
    .toSorted((one, other) => statSync(one).mtimeMs - statSync(other).mtimeMs)
    .map((path) => readFileSync(path, 'utf8'))
    .filter((text) => /^To: (?:.*<)?([^<>\s]+)>?$/m.exec(text.replace(/\r?\n(?=[ \t])/g, '').replaceAll('\r', ''))?.[1] === to);
}

/** The first link in the newest e-mail to an address that leads to the given place. */
export async function linkTo(school: School, to: string, place: string): Promise<string> {
  const find = () =>
    emails(school, to)
      .map(readable)
      .flatMap((text) => new RegExp(`https?://\\S*${place}/[\\w-]+`).exec(text)?.[0] ?? [])
      .at(-1);
  await expect.poll(find, { message: `an e-mail to ${to} with a link to ${place}` }).toBeTruthy();
  return find() ?? '';
}

/** Soft line breaks of quoted-printable text, and its signs. */
function readable(email: string): string {
  return email.replace(/=\r?\n/g, '').replace(/=([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

export async function logInStudent(page: Page, school: School, { email, password } = school.student) {
  await page.goto(`${school.url}/student/auth`);
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Login', exact: true }).click();
  await expect(page).toHaveURL(/\/student\/dashboard$/);
}

export async function logInStaff(page: Page, school: School, { username, password } = school.staff) {
  await page.goto(`${school.url}/admin/login`);
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Login', exact: true }).click();
  await expect(page).toHaveURL(/\/admin\/dashboard$/);
}

/** The toast of the moment: its title and, where it has one, its description. */
export async function expectToast(page: Page, title: string, description?: string) {
  const toast = page.locator('.toast');
  await expect(toast).toHaveCount(1);
  await expect(toast.locator('.toast-title')).toHaveText(title);
  if (description) await expect(toast).toContainText(description);
}
