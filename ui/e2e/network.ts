// Network simulation: delays, other responses, failures and offline.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, type Page, type Route } from '@playwright/test';

type Address = string | RegExp;

/** Holds calls to an address (of one method, if given) until released. */
export async function hold(page: Page, address: Address, method?: string): Promise<{ release: () => void; count: () => number }> {
  let release = () => {};
  let count = 0;
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route(address, async (route) => {
    if (method && route.request().method() !== method) return route.fallback();
    count += 1;
    await released;
    // The page may have cancelled the call.
    return route.fallback().catch(() => {});
  });
  return { release: () => release(), count: () => count };
}

/** Replaces the response to a method's calls. */
export async function answer(page: Page, method: string, path: string, given: Parameters<Route['fulfill']>[0]) {
  await page.route(`**${path}`, (route) => (route.request().method() === method ? route.fulfill(given) : route.fallback()));
}

/** Aborts calls as if offline; only of one method, if given. */
export async function disconnect(page: Page, address: Address, method?: string) {
  await page.route(address, (route) =>
    method && route.request().method() !== method ? route.fallback() : route.abort('internetdisconnected'),
  );
}

/** Runs an action whose call is aborted, then restores the network. */
export async function withoutNetwork(page: Page, address: Address, act: () => Promise<void>) {
  const brokenOff = page.waitForEvent('requestfailed');
  await disconnect(page, address);
  await act();
  await brokenOff;
  await page.unroute(address);
}

/** Delays everything that a page loads. */
export async function delay(page: Page, delay_ms: number) {
  await page.route(/\/assets\/.*\.js$|\/api\//, async (route) => {
    await sleep(delay_ms);
    // The test may have left the page or ended.
    await route.continue().catch(() => {});
  });
}

const underWay = new WeakMap<Page, Set<unknown>>();

/** Counts pending requests of a page. */
export function watchRequests(page: Page) {
  const requests = new Set<unknown>();
  underWay.set(page, requests);
  page.on('request', (request) => void requests.add(request));
  page.on('requestfinished', (request) => void requests.delete(request));
  page.on('requestfailed', (request) => void requests.delete(request));
}

/** Waits until a page has no pending requests. */
export async function expectQuiet(page: Page) {
  await expect.poll(() => underWay.get(page)?.size ?? 0, { message: 'requests that are under way' }).toBe(0);
}

/**
 * Playwright activates a page's first route with a delay, and requests in between bypass it. Routes added to an open
 * page wait until they are active.
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
