// Every badge, chip, count and status of office and portal: what it leads to is there, and acts.
import type { Page } from '@playwright/test';
import { asDemoStudent, enter } from './actors.ts';
import { expect, test } from './school.ts';

/** An address without what tells two rows of a list apart. */
function shape(address: string): string {
  const { pathname, searchParams } = new URL(address);
  const query = [...searchParams].map(([name, value]) => `${name}=${['q', 'message', 'next'].includes(name) ? '' : value}`);
  return [pathname.replace(/\d+/g, ':n').replace(/\/courses\/[A-Z0-9-]+$/, '/courses/:code'), ...query.toSorted()].join(' ');
}

/** What a page says and offers. */
type Findings = {
  title: string;
  /** With the count that a link tells, or 0. */
  links: { address: string; count: number }[];
  /** Badges with nothing to press beside them. */
  idle: string[];
  /** What can be pressed, in all and in rows. */
  acts: number;
  rows: number;
};

/** Badges that tell a fact which is over, and why nothing is done about it. */
const facts: readonly (readonly [RegExp, string])[] = [
  [/^(in force, )?version [0-9a-f]{8}$/, 'which words were agreed to'],
  [/^This device$/, 'the session that reads it; logging out ends it'],
  [/^Done$/, 'a step that was taken'],
];

/** Runs in the page. */
function look(): Findings {
  const main = document.querySelector('main') ?? document.body;
  const presses = 'a[href], button:not(:disabled), summary, input, select, textarea';
  const text = (element: Element) => (element.textContent ?? '').replace(/\s+/g, ' ').trim();
  const links = [...document.querySelectorAll<HTMLAnchorElement>('a[href]')].filter(({ origin, target, download }) => origin === location.origin && !target && !download);
  const told = (link: HTMLAnchorElement) => Number(/^\d+/.exec(link.title || text(link))?.[0] ?? 0);
  const idle = [...main.querySelectorAll('.badge')].filter((badge) => {
    if (badge.closest('a, button, summary, label')) return false;
    const row = badge.closest('tr, li, article, header, .student-facts, [aria-label="State and next steps"]');
    // Of the portal's first tab the whole card leads on.
    return !row?.querySelector(presses) && !badge.closest('section, .card')?.querySelector('a[href]');
  });
  return {
    title: text(document.querySelector('h1') ?? document.body),
    links: links.map((link) => ({ address: link.href.replace(/#.*/, ''), count: told(link) })),
    idle: idle.map(text),
    acts: main.querySelectorAll(presses).length,
    rows: [...main.querySelectorAll('tbody tr, li, article')].filter((row) => row.querySelector(presses)).length,
  };
}

async function open(page: Page, address: string): Promise<Findings> {
  await page.goto(address);
  await expect(page.locator('h1').first()).toBeVisible();
  await expect(page.locator('.spinner, .skeleton')).toHaveCount(0);
  const found = await page.evaluate(look);
  if (found.idle.length === 0) return found;
  // What a badge leads to may come a moment after it.
  await page.waitForLoadState('networkidle');
  return page.evaluate(look);
}

/** Follows every link of its kind once, beginning with these, and returns what is wrong. */
async function crawl(page: Page, starts: string[], isWithin: (path: string) => boolean): Promise<{ seen: Set<string>; wrong: string[] }> {
  const queue = starts.map((address) => ({ address, count: 0 }));
  const [seen, wrong] = [new Set(starts.map(shape)), [] as string[]];
  for (let next = queue.shift(); next; next = queue.shift()) {
    const { address, count } = next;
    // Each page tells where to go on.
    // oxlint-disable-next-line no-await-in-loop
    const found = await open(page, address);
    const say = (what: string) => wrong.push(`${address}: ${what}`);
    if (/not found|went wrong|no longer works/i.test(found.title)) say(found.title);
    // oxlint-disable-next-line no-await-in-loop
    if ((await page.getByText(/^Failed to load/).count()) > 0) say('failed to load');
    if (found.acts === 0) say('nothing acts');
    if (count > 0 && found.rows === 0) say(`the link says ${count}, and no row acts`);
    found.idle.filter((badge) => !facts.some(([fact]) => fact.test(badge))).forEach((badge) => say(`nothing to press beside “${badge}”`));
    for (const link of found.links) {
      if (!isWithin(new URL(link.address).pathname) || seen.has(shape(link.address))) continue;
      seen.add(shape(link.address));
      queue.push(link);
    }
  }
  return { seen, wrong };
}

/** The pages of a list in each state that it knows, which it names when asked for another. */
async function states(page: Page, list: string): Promise<string[]> {
  const answer = (await (await page.request.get(`/api/admin/${list}?status=nonsense&page=1`)).json()) as { fields: { status: string } };
  const words = answer.fields.status.split(' of ').at(-1)?.split(', ') ?? [];
  return words.map((word) => `/admin/${list}?status=${word}`);
}

test('every badge, count and status of the office leads to something that acts', async ({ page, school }) => {
  await enter(page, school, '/admin/dashboard');
  const lists = await Promise.all(['documents', 'messages', 'admission-requests', 'mail'].map((list) => states(page, list)));
  const starts = ['/admin/dashboard', ...lists.flat()].map((path) => `${school.url}${path}`);
  const { seen, wrong } = await crawl(page, starts, (path) => path.startsWith('/admin/') && !/login|password/.test(path));
  expect(wrong).toEqual([]);
  expect(seen.size).toBeGreaterThan(60);

  // Each chip lists as many as it says, and lets go again.
  await page.goto('/admin/students');
  const chips = page.getByRole('group', { name: 'Show only' }).getByRole('button');
  await expect(chips.first()).toBeVisible();
  const names = await chips.allInnerTexts();
  for (const name of names) {
    const [label, count] = [name.replace(/\s*\d+$/, ''), Number(/\d+$/.exec(name)?.[0])];
    const chip = chips.filter({ hasText: label });
    // oxlint-disable-next-line no-await-in-loop
    await chip.click();
    // oxlint-disable-next-line no-await-in-loop
    await expect(page.getByText(count === 1 ? '1 student' : `${count} students`, { exact: true })).toBeVisible();
    // oxlint-disable-next-line no-await-in-loop
    await expect(page.getByRole('row').filter({ has: page.getByRole('link') })).toHaveCount(Math.min(count, 25));
    // oxlint-disable-next-line no-await-in-loop
    await chip.click();
  }
});

test('every badge, count and status of the portal leads to something that acts', async ({ page, school }) => {
  await asDemoStudent(page, school);
  const { seen, wrong } = await crawl(page, [`${school.url}/student/dashboard`], (path) => path.startsWith('/student/') && !/auth|password/.test(path));
  expect(wrong).toEqual([]);
  expect([...seen]).toEqual(expect.arrayContaining(['/student/courses', '/student/account', '/student/dashboard tab=documents']));
});
