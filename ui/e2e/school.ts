// A demo school of the real binary for each worker, and what tests ask of a page.
import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import AxeBuilder from '@axe-core/playwright';
import { test as base, expect, type Page } from '@playwright/test';

const binary =
  process.env.SCHOOLHOUSE ??
  fileURLToPath(new URL('../../target/x86_64-unknown-linux-gnu/debug/schoolhouse', import.meta.url));

export type School = {
  url: string;
  /** The folder in which the demo writes its mail. */
  mail: string;
};

/** Starts the demo on a free port and reads from its notice where it is. */
async function open(): Promise<{ school: School; process: ChildProcess }> {
  const limits = { SCHOOLHOUSE_LIMITS_CONTACTS_PER_HOUR: '10000' };
  const child = spawn(binary, ['serve', '--demo', '--listen', '127.0.0.1:0'], {
    env: { PATH: process.env.PATH, ...limits },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const notice = await new Promise<string>((resolve, reject) => {
    let text = '';
    child.stdout.on('data', (chunk) => {
      text += chunk;
      if (text.includes('thrown away')) resolve(text);
    });
    child.on('exit', (status) => reject(new Error(`The demo ended with status ${status}: ${text}`)));
  });
  const url = /open at (\S+)/.exec(notice)?.[1];
  const mail = /written to (\S+)/.exec(notice)?.[1];
  if (!url || !mail) throw new Error(`The demo did not open: ${notice}`);
  return { school: { url, mail }, process: child };
}

type Fixtures = { watched: void };
type WorkerFixtures = { school: School };

export const test = base.extend<Fixtures, WorkerFixtures>({
  school: [
    async ({}, use) => {
      const { school, process: child } = await open();
      await use(school);
      child.kill('SIGTERM');
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ school }, use) => use(school.url),
  /** Every page is watched: an error on its console, or a request to anybody else, fails the test. */
  watched: [
    async ({ page, school }, use) => {
      const troubles: string[] = [];
      page.on('console', (message) => {
        // A failed call is the network's message; the tests provoke those on purpose.
        if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
          troubles.push(message.text());
        }
      });
      page.on('pageerror', (error) => troubles.push(String(error)));
      page.on('request', (request) => {
        if (!request.url().startsWith(school.url) && !/^(data|blob):/.test(request.url())) troubles.push(request.url());
      });
      await use();
      expect(troubles).toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };

export const pages = [
  { path: '/', heading: /Ontario high school credits/, title: /^Northgate Academy: / },
  { path: '/about', heading: 'About Us', title: 'About Us · Northgate Academy' },
  { path: '/services', heading: 'Our Services', title: 'Our Services · Northgate Academy' },
  { path: '/courses', heading: 'Course Catalogue', title: 'Courses · Northgate Academy' },
  { path: '/courses?grade=12', heading: 'Course Catalogue', title: 'Grade 12 courses · Northgate Academy' },
  { path: '/contact', heading: 'Contact Us', title: 'Contact Us · Northgate Academy' },
  { path: '/terms', heading: 'Terms of Service', title: 'Terms of Service · Northgate Academy' },
  { path: '/privacy', heading: 'Privacy Policy', title: 'Privacy Policy · Northgate Academy' },
  { path: '/no/such/page', heading: '404 Page Not Found', title: 'Page Not Found · Northgate Academy' },
  { path: '/student/auth', heading: /./, title: 'Student Login · Northgate Academy' },
  { path: '/admin/login', heading: /./, title: 'Admin Login · Northgate Academy' },
];

export const looks = ([1280, 390] as const).flatMap((width) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ width, colorScheme })),
);

/** Dresses the page: width, scheme, and nothing that moves while it is looked at. */
export async function dress(page: Page, look: (typeof looks)[number]) {
  await page.setViewportSize({ width: look.width, height: 900 });
  await page.emulateMedia({ colorScheme: look.colorScheme, reducedMotion: 'reduce' });
}

/** Accessibility without a finding, and nothing wider than the screen. */
export async function expectSound(page: Page) {
  const { violations } = await new AxeBuilder({ page }).analyze();
  const findings = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`);
  expect(findings).toEqual([]);
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect(overflow, 'the page scrolls sideways').toBe(0);
}

/** The letters in the spool to one address, each as its raw text. */
export function letters(school: School, to: string): string[] {
  return readdirSync(school.mail)
    .filter((name) => name.endsWith('.eml'))
    .map((name) => readFileSync(join(school.mail, name), 'utf8'))
    .filter((text) => new RegExp(`^To: .*${to}`, 'm').test(text));
}
