// Keys that work on a whole screen: not while one types, and not together with a key of the browser's.
import { useEffect, useLayoutEffect, useRef } from 'react';

const fields = 'input:not([type=checkbox]), textarea, select, [contenteditable], dialog';

/** Whether a press is meant for the screen: `target` is no field, and no dialog is open. */
export function isForScreen({ ctrlKey, metaKey, altKey, target, repeat, defaultPrevented }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey || repeat || defaultPrevented) return false;
  return !(target instanceof Element && target.closest(fields)) && !document.querySelector('dialog[open]');
}

export function useKeys(acts: Readonly<Record<string, (() => void) | undefined>>) {
  const latest = useRef(acts);
  useEffect(() => void (latest.current = acts));
  // Before the screen is painted: the key may be pressed as soon as it is seen.
  useLayoutEffect(() => {
    function press(event: KeyboardEvent) {
      const act = isForScreen(event) ? latest.current[event.key.toLowerCase()] : undefined;
      if (!act) return;
      event.preventDefault();
      act();
    }
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
}
