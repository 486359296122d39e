// Test fixtures: the real binary, as a demo school per worker and as fresh schools, and a watched page.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test as base, type Browser, expect, type Page } from '@playwright/test';
import { delay, layRoutesForSure, watchRequests } from './network.ts';
import { translatePage } from '../src/test/translated.ts';

const triple = `${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-unknown-linux-gnu`;
const binary =
  process.env.SCHOOLHOUSE ?? fileURLToPath(new URL(`../../target/${triple}/debug/schoolhouse`, import.meta.url));

export type School = {
  url: string;
  /** Folder of the mail spool. */
  mail: string;
  student: { email: string; password: string };
  staff: { username: string; password: string };
};

/** A school of one test, which can be started again with other settings. */
export type FreshSchool = School & { restart: (settings: Record<string, string>) => Promise<void> };

/** All tests share one address, so visitors' rate limits are raised. */
const environment = {
  PATH: process.env.PATH,
  // Decision emails are sent at once; tests of Undo open a separate school.
  SCHOOLHOUSE_OFFICE_UNDO_SECONDS: '0',
  SCHOOLHOUSE_LIMITS_CONTACTS_PER_HOUR: '10000',
  SCHOOLHOUSE_LIMITS_CONTACTS_PER_BLOCK_PER_HOUR: '10000',
  SCHOOLHOUSE_LIMITS_LOGINS_PER_MINUTE: '10000',
  SCHOOLHOUSE_LIMITS_REGISTRATIONS_PER_HOUR: '10000',
  SCHOOLHOUSE_LIMITS_REGISTRATIONS_PER_BLOCK_PER_HOUR: '10000',
  SCHOOLHOUSE_LIMITS_UPLOADS_PER_HOUR: '10000',
  SCHOOLHOUSE_LIMITS_UPLOADS_PER_BLOCK_PER_HOUR: '10000',
  SCHOOLHOUSE_LIMITS_PASSWORD_RESETS_PER_HOUR: '10000',
  SCHOOLHOUSE_LIMITS_LINKS_PER_HOUR: '10000',
  SCHOOLHOUSE_LIMITS_LINKS_PER_BLOCK_PER_HOUR: '10000',
  // One account logs in for many tests, each with its own browser.
  SCHOOLHOUSE_LIMITS_SESSIONS_PER_ACCOUNT: '10000',
  SCHOOLHOUSE_MAIL_RECIPIENT_PER_HOUR: '10000',
  SCHOOLHOUSE_MAIL_RECIPIENT_PER_DAY: '10000',
  SCHOOLHOUSE_MAIL_ACCOUNT_PER_DAY: '10000',
  SCHOOLHOUSE_MAIL_STRANGERS_PER_DAY: '10000',
  SCHOOLHOUSE_MAIL_OFFICE_COPIES_PER_HOUR: '10000',
};

/** Runs a server command and returns its output. */
export function run(args: string[], { input = '', ...settings }: Record<string, string> = {}): string {
  return execFileSync(binary, args, { env: { ...environment, ...settings }, input, encoding: 'utf8', stdio: 'pipe' }).trim();
}

/** Starts a server and waits for its start-up notice. */
async function start(args: string[], wanted: RegExp, settings: Record<string, string> = {}): Promise<{ process: ChildProcess; printed: string }> {
  const child = spawn(binary, args, { env: { ...environment, ...settings }, stdio: ['ignore', 'pipe', 'pipe'] });
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

/** The demo on a free port; its notice has the address and logins. */
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

/** A fresh school with one admin and no students, set up by `prepare`, for one test. */
export async function openSchool(
  use: (school: FreshSchool) => Promise<void>,
  settings: Record<string, string> = {},
  prepare: (folder: string) => void = () => {},
) {
  const folder = mkdtempSync(join(tmpdir(), 'schoolhouse-e2e-'));
  const staff = { username: 'principal', password: 'A long password, 42 times' };
  const admin = ['create-admin', '--username', staff.username, '--email', 'principal@northgate.example', '--password-stdin'];
  run(['--data-dir', folder, ...admin], { ...settings, input: staff.password });
  prepare(folder);
  const address = /http:\/\/127\.0\.0\.1:\d+/;
  const listen = settings.SCHOOLHOUSE_SERVER_LISTEN ? [] : ['--listen', '127.0.0.1:0'];
  const serve = (at: string[], more = {}) => start(['--data-dir', folder, 'serve', ...at], address, { ...settings, ...more });
  const first = await serve(listen);
  let child = first.process;
  const end = async () => {
    child.kill('SIGTERM');
    await once(child, 'exit');
  };
  const url = address.exec(first.printed)?.[0] ?? '';
  const student = { email: 'unknown@mail.example', password: 'not registered here' };
  const restart = async (more: Record<string, string>) => {
    await end();
    child = (await serve(['--listen', new URL(url).host], more)).process;
  };
  await use({ url, mail: join(folder, 'mail'), student, staff, restart });
  await end();
  rmSync(folder, { recursive: true });
}

export const catalogue = fileURLToPath(new URL('../../examples/ontario-courses.csv', import.meta.url));

/** Makes a prerendered page load its scripts, and waits until it is interactive. */
export async function untilLive(page: Page) {
  await page.waitForFunction(() => {
    const isDrawn = document.querySelector('#root[data-drawn]') !== null;
    if (isDrawn) document.dispatchEvent(new Event('pointermove'));
    return !isDrawn;
  });
}

/** Opens an address without scripts. */
export async function withoutScripts<Result>(browser: Browser, use: (page: Page) => Promise<Result>): Promise<Result> {
  const context = await browser.newContext({ javaScriptEnabled: false });
  try {
    return await use(await context.newPage());
  } finally {
    await context.close();
  }
}

type Fixtures = { watched: void; delayed: void; fresh: FreshSchool; isTranslated: boolean };
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
  /** A school without students, for one test. Use full addresses: `${fresh.url}/admin/login`. */
  fresh: ({}, use) => openSchool(use, {}, (folder) => void run(['--data-dir', folder, 'import-courses', catalogue])),
  baseURL: async ({ school }, use) => use(school.url),
  /** Whether every page is translated; `TRANSLATED=1 make browser` runs all tests this way. */
  isTranslated: [Boolean(process.env.TRANSLATED), { option: true }],
  /** Waits until a prerendered page is interactive. */
  page: async ({ page, isTranslated }, use) => {
    const [goto, reload] = [page.goto.bind(page), page.reload.bind(page)];
    const isReady = () => untilLive(page).then(() => (isTranslated ? page.evaluate(translatePage) : undefined));
    page.goto = async (...options) => goto(...options).then(async (response) => isReady().then(() => response));
    page.reload = async (...options) => reload(...options).then(async (response) => (options[0]?.waitUntil === 'commit' ? response : isReady().then(() => response)));
    layRoutesForSure(page);
    await use(page);
  },
  /** A watched page: console errors or warnings, and requests to other hosts, fail the test. */
  watched: [
    async ({ browser, page }, use, info) => {
      watchRequests(page);
      const problems: string[] = [];
      page.on('console', (message) => {
        // Failed calls are logged by the browser, and provoked by tests on purpose.
        if (['error', 'warning'].includes(message.type()) && !message.text().startsWith('Failed to load resource')) {
          problems.push(message.text());
        }
      });
      page.on('pageerror', (error) => problems.push(String(error)));
      page.on('request', (request) => {
        if (!/^(http:\/\/(127\.0\.0\.1|localhost):|data:|blob:)/.test(request.url())) problems.push(request.url());
      });
      await use();
      if (info.errors.length + problems.length > 0) {
        const open = browser.contexts().flatMap((context) => context.pages());
        await Promise.all(open.map((each, place) => each.screenshot({ path: info.outputPath(`page-${place + 1}.png`) }).catch(() => {})));
      }
      expect(problems).toEqual([]);
    },
    { auto: true },
  ],
  /**
   * For finding races: `SLOW=400 make browser` delays scripts and responses by that many milliseconds, `THROTTLE=20
   * make browser` slows the page's code by that factor.
   */
  delayed: [
    async ({ page, context }, use) => {
      if (process.env.SLOW) await delay(page, Number(process.env.SLOW));
      if (process.env.THROTTLE) await (await context.newCDPSession(page)).send('Emulation.setCPUThrottlingRate', { rate: Number(process.env.THROTTLE) });
      await use();
    },
    { auto: true },
  ],
});

export { expect };

/** Expects a toast by title and optional description. */
export async function expectToast(page: Page, title: string, description?: string) {
  const toast = page.locator('.toast');
  await expect(toast).toHaveCount(1);
  await expect(toast.locator('.toast-title')).toHaveText(title);
  if (description) await expect(toast).toContainText(description);
}

/** Answers a dialog over the page and waits until it is closed: input under it would be lost. */
export async function answerQuestion(page: Page, title: string, answer: string) {
  const question = page.getByRole('dialog', { name: title });
  await question.getByRole('button', { name: answer }).click();
  await expect(question).toHaveCount(0);
}
