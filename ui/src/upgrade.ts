// After an upgrade of the server a page that was opened before may ask for a file that is
// gone. Such a page reloads itself, once: the reload fetches the new release.

const vanished = new WeakSet<object>();
const guard_key = 'schoolhouse:reloaded-at';
const guard_ms = 60_000;

/** Remembers which errors came from a file that could not be loaded. */
export function watchVanishedFiles() {
  window.addEventListener('vite:preloadError', (event) => {
    if (event.payload instanceof Error) vanished.add(event.payload);
  });
}

/** True when the error is a vanished file and this tab has not just reloaded because of one. */
export function claimReload(error: unknown, now_ms: number = Date.now()): boolean {
  if (!(error instanceof Error) || !vanished.has(error) || !navigator.onLine) return false;
  const last_ms = Number(sessionStorage.getItem(guard_key) ?? 0);
  if (now_ms - last_ms < guard_ms) return false;
  sessionStorage.setItem(guard_key, String(now_ms));
  return true;
}
