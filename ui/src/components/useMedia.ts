// Whether the screen is as a media query asks, now and from now on.
import { useCallback, useSyncExternalStore } from 'react';

/** Room for what was opened from a list beside it. */
export const wide = '(width > 54rem)';

export function useMedia(query: string): boolean {
  const subscribe = useCallback((onChange: () => void) => {
    const media = window.matchMedia(query);
    media.addEventListener('change', onChange);
    return () => media.removeEventListener('change', onChange);
  }, [query]);
  return useSyncExternalStore(subscribe, () => window.matchMedia(query).matches);
}
