// How a page looks: both widths, both schemes, and what has to be right in them.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, type Page, test } from '@playwright/test';
import type Axe from 'axe-core';

declare const axe: typeof Axe;

/** Run in the page itself: the wrapper for Playwright opens a second page for each look, which takes four times as long. */
const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Both widths in light, and the colours of dark once: they do not depend on the width. */
export const looks: readonly Look[] = [
  { width: 1280, colorScheme: 'light' },
  { width: 390, colorScheme: 'light' },
  { width: 1280, colorScheme: 'dark' },
];

export type Look = { width: number; colorScheme: 'light' | 'dark' };

/** Dresses the page: width, scheme, and nothing that moves while it is looked at. */
export async function dress(page: Page, look: Look) {
  await page.setViewportSize({ width: look.width, height: 900 });
  await page.emulateMedia({ colorScheme: look.colorScheme, reducedMotion: 'reduce' });
}

/** Whatever width the page has: nothing is wider than the screen. */
export async function expectNoOverflow(page: Page) {
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect(overflow, 'the page scrolls sideways').toBe(0);
}

/** Runs in the page: what axe finds there once nothing moves, and whether it is too wide. */
async function analyse() {
  // Of a list's rows that differ in their words alone the first stands for all: a catalogue is a hundred times the same.
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
  // A colour that is on its way to another scheme, and a dialog that opens, have a contrast of their own;
  // and where a colour is inherited, one that has arrived sets the next one going.
  const isMoving = (each: Animation) => each.playState === 'running' && each.effect?.getComputedTiming().iterations !== Infinity;
  // Looked at anew rather than awaited: a transition that another one replaces as it begins may never finish.
  // oxlint-disable-next-line no-await-in-loop
  while (document.getAnimations().some(isMoving)) await new Promise((resolve) => setTimeout(resolve, 16));
  // The scheme changes colours and nothing else: the other rules look at the same page in light.
  const isDark = matchMedia('(prefers-color-scheme: dark)').matches;
  // Behind a modal dialog nothing can be reached: the page is looked at where nothing lies over it.
  const modal = [...document.querySelectorAll('dialog:modal')].at(-1);
  const { violations } = await axe.run({ include: [modal ?? document], exclude: repeats.filter((each) => !modal || modal.contains(each)) }, {
    resultTypes: ['violations'],
    // Targets of 24 pixels (WCAG 2.2) are not looked at unless asked for.
    ...(isDark ? { runOnly: ['color-contrast'] } : { rules: { 'target-size': { enabled: true } } }),
  });
  return {
    findings: violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`),
    overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
  };
}

/** Accessibility without a finding, and nothing wider than the screen. In dark only the contrast is looked at. */
export async function expectSound(page: Page) {
  // A page whose script is still on its way has no heading yet.
  await expect(page.locator('h1').first()).toBeVisible();
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeSource);
  expect(await page.evaluate(analyse)).toEqual({ findings: [], overflow: 0 });
}

/** Sound as it stands now, in these looks (all of them, unless stated otherwise); then as wide as before. */
export async function expectSoundInEveryLook(page: Page, chosen: readonly Look[] = looks) {
  const size = page.viewportSize();
  // Many analyses of one test are no reason to cut it short on a busy machine.
  test.setTimeout(test.info().timeout + chosen.length * 10_000);
  for (const look of chosen) {
    await dress(page, look);
    await expectSound(page);
  }
  await page.emulateMedia({ colorScheme: 'light' });
  if (size) await page.setViewportSize(size);
}
