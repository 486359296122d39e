// How a page looks: both widths, both schemes, and what has to be right in each of them.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, type Page, test } from '@playwright/test';
import type Axe from 'axe-core';

declare const axe: typeof Axe;

/** Run in the page itself: the wrapper for Playwright opens a second page for each look, which takes four times as long. */
const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const widths = [1280, 390] as const;

/** Light and light, dark and dark: a change of colours is slower than one of width. */
export const looks = (['light', 'dark'] as const).flatMap((colorScheme) => widths.map((width) => ({ width, colorScheme })));

/** Dresses the page: width, scheme, and nothing that moves while it is looked at. */
export async function dress(page: Page, look: (typeof looks)[number]) {
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
  // A colour that is on its way to another scheme, and a dialog that opens, have a contrast of their own;
  // and where a colour is inherited, one that has arrived sets the next one going.
  const isMoving = (each: Animation) => each.playState === 'running' && each.effect?.getComputedTiming().iterations !== Infinity;
  const moving = () => document.getAnimations().filter(isMoving);
  for (let those = moving(); those.length > 0; those = moving()) await Promise.allSettled(those.map(({ finished }) => finished));
  // The scheme changes colours and nothing else: the other rules look at the same page in light.
  const isDark = matchMedia('(prefers-color-scheme: dark)').matches;
  const { violations } = await axe.run(document, {
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
export async function expectSoundInEveryLook(page: Page, chosen = looks) {
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
