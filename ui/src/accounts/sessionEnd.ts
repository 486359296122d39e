// Sessions that ended on the server, noticed by a 401.
import { useSyncExternalStore } from 'react';

let hasEnded = false;
const listeners = new Set<() => void>();

/** Reported by any caller; the portal's frame asks to log in again. */
export function reportEnd(ended: boolean) {
  hasEnded = ended;
  for (const listener of listeners) listener();
}

export function useHasSessionEnded(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    () => hasEnded,
    () => false,
  );
}
