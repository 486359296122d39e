// Moves the focus to something that is drawn by what was just pressed: a new row, the row after one that went.
import { useEffect, useRef } from 'react';

export function useFocusLater(): (id: string) => void {
  const wanted = useRef<string | null>(null);
  // Without a list of dependencies: it may take more than one drawing until it is there.
  useEffect(() => {
    const element = wanted.current && document.getElementById(wanted.current);
    if (!element) return;
    wanted.current = null;
    element.focus();
  });
  return (id) => void (wanted.current = id);
}
