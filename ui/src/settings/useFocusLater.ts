// Moves the focus to an element that is still to be rendered, such as a new row.
import { useEffect, useRef } from 'react';

export function useFocusLater(): (id: string) => void {
  const wanted = useRef<string | null>(null);
  // No dependency list: the element may take several renders to appear.
  useEffect(() => {
    const element = wanted.current && document.getElementById(wanted.current);
    if (!element) return;
    wanted.current = null;
    element.focus();
  });
  return (id) => void (wanted.current = id);
}
