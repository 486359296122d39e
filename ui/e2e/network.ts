// What tests let the network do to a page: be late, say something else, fail, or be gone.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, type Page, type Route } from '@playwright/test';

type Address = string | RegExp;

/** Holds every call to an address (all of them, or those of one method) until it is let go. */
export async function hold(page: Page, address: Address, method?: string): Promise<{ release: () => void; count: () => number }> {
  let release = () => {};
  let count = 0;
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route(address, async (route) => {
    if (method && route.request().method() !== method) return route.fallback();
    count += 1;
    await released;
    // The page may have given the call up meanwhile.
    return route.fallback().catch(() => {});
  });
  return { release: () => release(), count: () => count };
}

/** Answers calls of a method with something else. */
export async function answer(page: Page, method: string, path: string, given: Parameters<Route['fulfill']>[0]) {
  await page.route(`**${path}`, (route) => (route.request().method() === method ? route.fulfill(given) : route.fallback()));
}

/** Breaks calls off, as without a network; only those of a method, if one is given. */
export async function disconnect(page: Page, address: Address, method?: string) {
  await page.route(address, (route) =>
    method && route.request().method() !== method ? route.fallback() : route.abort('internetdisconnected'),
  );
}

/** Does something whose call is broken off, and has the network back once it was. */
export async function withoutNetwork(page: Page, address: Address, act: () => Promise<void>) {
  const brokenOff = page.waitForEvent('requestfailed');
  await disconnect(page, address);
  await act();
  await brokenOff;
  await page.unroute(address);
}

/** Everything that a page loads comes that many milliseconds late. */
export async function delay(page: Page, delay_ms: number) {
  await page.route(/\/assets\/.*\.js$|\/api\//, async (route) => {
    await sleep(delay_ms);
    // The test may have gone on to another page, or have ended.
    await route.continue().catch(() => {});
  });
}

const underWay = new WeakMap<Page, Set<unknown>>();

/** Counts what a page has asked for and not yet got. */
export function watchRequests(page: Page) {
  const requests = new Set<unknown>();
  underWay.set(page, requests);
  page.on('request', (request) => void requests.add(request));
  page.on('requestfinished', (request) => void requests.delete(request));
  page.on('requestfailed', (request) => void requests.delete(request));
}

/** Waits until the page has got everything that it asked for. */
export async function expectQuiet(page: Page) {
  await expect.poll(() => underWay.get(page)?.size ?? 0, { message: 'requests that are under way' }).toBe(0);
}

/**
 * A page learns of its first route a moment after Playwright was told: what a busy page asks for in between passes
 * by unseen. Every route that is laid under an open page waits until the page has it.
 */
export function layRoutesForSure(page: Page) {
  const route = page.route.bind(page);
  const probe = '/is-routed';
  const ask = () => page.evaluate((address) => fetch(address).then(({ status }) => status, () => 0), probe);
  page.route = async (...options) => {
    const laid = await route(...options);
    if (!page.url().startsWith('http')) return laid;
    await route(`**${probe}`, (call) => call.fulfill({ status: 204 }));
    await expect.poll(ask, { message: 'the page knows its routes' }).toBe(204);
    return laid;
  };
}
