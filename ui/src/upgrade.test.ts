// The one reload after a file is missing because of an upgrade.
import { beforeEach, expect, it, vi } from 'vitest';
import { claimReload, watchVanishedFiles } from './upgrade.ts';

watchVanishedFiles();

function vanishedFile(): Error {
  const error = new TypeError('Failed to fetch dynamically imported module');
  window.dispatchEvent(Object.assign(new Event('vite:preloadError'), { payload: error }));
  return error;
}

beforeEach(() => sessionStorage.clear());

it('reloads once, and again only for a later upgrade', () => {
  const start_ms = 1_000_000;
  expect(claimReload(vanishedFile(), start_ms)).toBe(true);
  expect(claimReload(vanishedFile(), start_ms + 5_000)).toBe(false);
  expect(claimReload(vanishedFile(), start_ms + 3_600_000)).toBe(true);
});

it('does not reload for any other error', () => {
  expect(claimReload(new Error('a defect'))).toBe(false);
  expect(claimReload({ status: 404 })).toBe(false);
});

it('does not reload without a network, which would lose the page', () => {
  const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  expect(claimReload(vanishedFile())).toBe(false);
  online.mockRestore();
});
