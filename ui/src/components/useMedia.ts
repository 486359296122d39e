// Whether a media query matches.
import { useCallback, useSyncExternalStore } from 'react';

/** Wide enough for a pane beside a list. */
export const wide = '(width > 54rem)';

export function useMedia(query: string): boolean {
  const subscribe = useCallback((onChange: () => void) => {
    const media = window.matchMedia(query);
    media.addEventListener('change', onChange);
    return () => media.removeEventListener('change', onChange);
  }, [query]);
  return useSyncExternalStore(subscribe, () => window.matchMedia(query).matches);
}
