// After a server upgrade an open page may request a file that is gone. It reloads itself once, which loads the new
// release.

const vanished = new WeakSet<object>();
const guard_key = 'schoolhouse:reloaded-at';
const guard_ms = 60_000;

/** Errors caused by a file that could not be loaded. */
export function watchVanishedFiles() {
  window.addEventListener('vite:preloadError', (event) => {
    if (event.payload instanceof Error) vanished.add(event.payload);
  });
}

/** Whether the error is a missing file and this tab has not just reloaded because of one. */
export function claimReload(error: unknown, now_ms: number = Date.now()): boolean {
  if (!(error instanceof Error) || !vanished.has(error) || !navigator.onLine) return false;
  const last_ms = Number(sessionStorage.getItem(guard_key) ?? 0);
  if (now_ms - last_ms < guard_ms) return false;
  sessionStorage.setItem(guard_key, String(now_ms));
  return true;
}
