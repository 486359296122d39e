// Sessions that end by themselves: an answer said that nobody is signed in any more.
import { useSyncExternalStore } from 'react';

let hasEnded = false;
const listeners = new Set<() => void>();

/** Reported by whoever notices it; the portal's frame asks to log in again. */
export function reportEnd(ended: boolean) {
  hasEnded = ended;
  for (const listener of listeners) listener();
}

export function useHasEnded(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    () => hasEnded,
  );
}
