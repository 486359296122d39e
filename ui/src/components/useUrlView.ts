// View state (a tab, a search, a page of a list) kept in the address. State changes first and the address follows, so
// that fast keys never act on an outdated view.
import { useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate, useNavigationType } from 'react-router';

/** Browsers limit how often the address can be rewritten. */
export const typing_pause_ms = 150;

type Codec<View> = { read: (parameters: URLSearchParams) => View; write: (view: View) => Record<string, string> };

/**
 * Returns the view and its setter; both functions of the codec must be stable and pure. The history state (`kept`) is
 * carried over to the address of another view.
 */
export function useUrlView<View>({ read, write }: Codec<View>, kept?: unknown) {
  const location = useLocation();
  const navigationType = useNavigationType();
  const navigate = useNavigate();
  const [view, setView] = useState(() => read(new URLSearchParams(location.search)));
  const [seenKey, setSeenKey] = useState(location.key);
  const pending = useRef<ReturnType<typeof setTimeout>>(undefined);

  // A link or Back changed the view: follow it. Our own rewrites are already shown.
  if (location.key !== seenKey) {
    setSeenKey(location.key);
    if (navigationType !== 'REPLACE') setView(read(new URLSearchParams(location.search)));
  }
  const followed = useRef(location.key);
  useEffect(() => {
    if (navigationType === 'REPLACE' || followed.current === location.key) return;
    // A pending rewrite would undo the link that was just followed.
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
