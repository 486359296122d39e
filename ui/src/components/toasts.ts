// The one toast (section 9): a new one replaces the one before, and each disappears after five seconds without pointer
// or focus.
import { type ReactElement, useSyncExternalStore } from 'react';

export type Toast = { id: number; title: string; description: ReactElement | string | null | undefined; isDestructive: boolean };

const duration_ms = 5000;

let current: Toast | null = null;
let lastId = 0;
let timer: ReturnType<typeof setTimeout> | undefined;
let endsAt_ms = 0;
let left_ms = 0;
let holds = 0;
const listeners = new Set<() => void>();

export function showToast(title: string, description: Toast['description'] = null, isDestructive = false) {
  lastId += 1;
  current = { id: lastId, title, description, isDestructive };
  left_ms = duration_ms;
  holds = 0;
  run();
  notify();
}

/** Shows a failure. */
export function showFailure(title: string, description: string) {
  showToast(title, description, true);
}

export function dismissToast() {
  clearTimeout(timer);
  current = null;
  notify();
}

/** Dismisses a success toast when a dialog opens. */
export function dismissSuccess() {
  if (current && !current.isDestructive) dismissToast();
}

/** Pauses the timer while the toast has pointer or focus. */
export function holdToast() {
  holds += 1;
  if (holds > 1 || !current) return;
  clearTimeout(timer);
  left_ms = Math.max(0, endsAt_ms - Date.now());
}

export function releaseToast() {
  // A newer toast starts without holds.
  if (holds === 0) return;
  holds -= 1;
  if (holds === 0 && current) run();
}

export function useToast(): Toast | null {
  return useSyncExternalStore(subscribe, () => current, () => null);
}

function run() {
  clearTimeout(timer);
  endsAt_ms = Date.now() + left_ms;
  timer = setTimeout(dismissToast, left_ms);
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

function notify() {
  for (const listener of listeners) listener();
}
