// The looks of a page, by width and colour scheme, and their checks.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, type Page, test } from '@playwright/test';
import type Axe from 'axe-core';

declare const axe: typeof Axe;

/** Run in the page itself: axe's Playwright wrapper opens a second page per look, which takes four times as long. */
const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Both widths in light, and dark once: colours do not depend on the width. */
export const looks: readonly Look[] = [
  { width: 1280, colorScheme: 'light' },
  { width: 390, colorScheme: 'light' },
  { width: 1280, colorScheme: 'dark' },
];

export type Look = { width: number; colorScheme: 'light' | 'dark' };

/** Sets width and scheme, and stops animations. */
export async function dress(page: Page, look: Look) {
  await page.setViewportSize({ width: look.width, height: 900 });
  await page.emulateMedia({ colorScheme: look.colorScheme, reducedMotion: 'reduce' });
}

/** Nothing is wider than the screen. */
export async function expectNoOverflow(page: Page) {
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect(overflow, 'the page scrolls sideways').toBe(0);
}

/** Runs in the page: axe's findings once animations are over, and whether it is too wide. */
async function analyse() {
  // Analyze only the first of a list's rows that differ in text alone.
  const told = /^(class|style|role|type|lang|dir|tabindex|data-(?!row)\w+|aria-(?!label|describedby|controls|owns|details|activedescendant).*)$/;
  const attribute = ({ name, value }: Attr) => (name === 'id' ? '' : told.test(name) ? ` ${name}=${value}` : ` ${name}${value.trim() && '…'}`);
  const shape = (node: Node): string => {
    if (node instanceof Text) return node.data.trim() && '…';
    if (!(node instanceof Element)) return '';
    const { width, height } = node.getBoundingClientRect();
    const state = [node.matches(':checked'), node.matches(':focus'), node.matches('a, button, input, select, summary') && Math.min(width, height) < 24];
    return `<${node.localName} ${state}${[...node.attributes].map(attribute).toSorted().join('')}>${[...node.childNodes].map(shape).join('')}</>`;
  };
  const repeats = [...document.querySelectorAll('tbody, ul, ol, .grid')].flatMap(({ children }) => {
    const seen = new Set<string>();
    return [...children].filter((child) => seen.size === seen.add(shape(child)).size);
  });
  // Transitions of colours and dialogs have other contrasts, and an inherited colour starts further transitions when
  // it ends.
  const isMoving = (each: Animation) => each.playState === 'running' && each.effect?.getComputedTiming().iterations !== Infinity;
  // Poll instead of awaiting: a replaced transition may never finish.
  // oxlint-disable-next-line no-await-in-loop
  while (document.getAnimations().some(isMoving)) await new Promise((resolve) => setTimeout(resolve, 16));
  // The scheme changes only colours: other rules run in light.
  const isDark = matchMedia('(prefers-color-scheme: dark)').matches;
  // Behind a modal dialog nothing can be reached: analyze only the dialog.
  const modal = [...document.querySelectorAll('dialog:modal')].at(-1);
  const { violations } = await axe.run({ include: [modal ?? document], exclude: repeats.filter((each) => !modal || modal.contains(each)) }, {
    resultTypes: ['violations'],
    // Target size (WCAG 2.2) is off by default in axe.
    ...(isDark ? { runOnly: ['color-contrast'] } : { rules: { 'target-size': { enabled: true } } }),
  });
  return {
    findings: violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`),
    overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
  };
}

/** No accessibility findings, and nothing wider than the screen. In dark only contrast is checked. */
export async function expectSound(page: Page) {
  // A page has no heading before its script has loaded.
  await expect(page.locator('h1').first()).toBeVisible();
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeSource);
  expect(await page.evaluate(analyse)).toEqual({ findings: [], overflow: 0 });
}

/** Checks the current state in these looks (all by default), then restores the width. */
export async function expectSoundInEveryLook(page: Page, chosen: readonly Look[] = looks) {
  const size = page.viewportSize();
  // Extend the timeout by the number of analyses.
  test.setTimeout(test.info().timeout + chosen.length * 10_000);
  for (const look of chosen) {
    await dress(page, look);
    await expectSound(page);
  }
  await page.emulateMedia({ colorScheme: 'light' });
  if (size) await page.setViewportSize(size);
}
