// What a screen shows (a tab, a search, a page of a list) and the address that says so. The
// choice is kept here first and written to the address afterwards, so that fast keys never land
// on a choice the address still names.
import { useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate, useNavigationType } from 'react-router';

/** Browsers refuse to rewrite the address many times a second. */
export const typing_pause_ms = 150;

type Codec<View> = { read: (parameters: URLSearchParams) => View; write: (view: View) => Record<string, string> };

/**
 * Returns the view and a way to change it; both functions of the codec must be stable and pure. What the browser keeps
 * with the address (`kept`) it keeps with the address of another view too.
 */
export function useUrlView<View>({ read, write }: Codec<View>, kept?: unknown) {
  const location = useLocation();
  const navigationType = useNavigationType();
  const navigate = useNavigate();
  const [view, setView] = useState(() => read(new URLSearchParams(location.search)));
  const [seenKey, setSeenKey] = useState(location.key);
  const pending = useRef<ReturnType<typeof setTimeout>>(undefined);

  // A link or Back names another view: follow it. Our own rewrites are already shown.
  if (location.key !== seenKey) {
    setSeenKey(location.key);
    if (navigationType !== 'REPLACE') setView(read(new URLSearchParams(location.search)));
  }
  const followed = useRef(location.key);
  useEffect(() => {
    if (navigationType === 'REPLACE' || followed.current === location.key) return;
    // A rewrite still waiting would undo the link that was followed meanwhile.
    followed.current = location.key;
    clearTimeout(pending.current);
  }, [location.key, navigationType]);
  useEffect(() => () => clearTimeout(pending.current), []);

  function show(next: View, pause_ms = 0) {
    setView(next);
    clearTimeout(pending.current);
    const search = `?${new URLSearchParams(write(next))}`;
    const rewrite = () => void navigate({ search }, { replace: true, state: kept, preventScrollReset: true });
    if (pause_ms === 0) rewrite();
    else pending.current = setTimeout(rewrite, pause_ms);
  }

  return [view, show] as const;
}
