// A rarely shown part of a page: loaded on the first interaction, so that it neither delays the page nor is missing once
// it is needed.
import { useEffect, useState } from 'react';

const signs = ['pointermove', 'pointerdown', 'keydown', 'focusin'];

/** The module that `load` imports, or null; `loaded` if it is there already. A failed load is retried on the next interaction and once it `isWanted`. */
export function usePartLater<Part extends object>(load: () => Promise<Part>, isWanted: boolean, onMissing?: () => void, loaded: Part | null = null): Part | null {
  const [part, setPart] = useState<Part | null>(loaded);
  useEffect(() => {
    if (part) return;
    const stop = () => {
      for (const sign of signs) document.removeEventListener(sign, fetch, true);
    };
    const listen = () => {
      for (const sign of signs) document.addEventListener(sign, fetch, true);
    };
    function fetch() {
      stop();
      load().then(setPart, () => {
        listen();
        if (isWanted) onMissing?.();
      });
    }
    if (isWanted) fetch();
    else listen();
    return stop;
    // oxlint-disable-next-line react/exhaustive-deps -- what is loaded never changes
  }, [part, isWanted]);
  return part;
}
