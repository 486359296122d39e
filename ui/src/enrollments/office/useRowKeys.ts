// Keyboard shortcuts of a table: j and k move between rows, others press the row's button with that
// `aria-keyshortcuts`. Inactive in text fields and while a dialog is open.
import { useEffect, useRef } from 'react';

/** A key this soon after a decision was meant for the previous row. */
const settles_ms = 400;

const typing = 'input:not([type="checkbox"]), textarea, select, [contenteditable]';

export function useRowKeys(handlers: Record<string, () => boolean>) {
  const latest = useRef(handlers);
  useEffect(() => {
    latest.current = handlers;
  });
  useEffect(() => {
    let decidedAt_ms = 0;
    function press(event: KeyboardEvent) {
      const at = event.target instanceof Element ? event.target : null;
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (at?.closest(typing) || document.querySelector('dialog[open]')) return;
      const row = document.activeElement?.closest<HTMLElement>('tr[data-row]') ?? null;
      if (event.key === 'j' || event.key === 'k') move(row, event.key === 'j' ? 1 : -1);
      else if (latest.current[event.key]?.()) return event.preventDefault();
      else {
        const button = row?.querySelector<HTMLElement>(`[aria-keyshortcuts="${CSS.escape(event.key)}"]`);
        const decides = event.key === 'a';
        if (!button || event.repeat || (decides && Date.now() - decidedAt_ms < settles_ms)) return;
        if (decides) decidedAt_ms = Date.now();
        button.click();
      }
      event.preventDefault();
    }
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
}

function move(row: HTMLElement | null, step: 1 | -1) {
  const rows = [...document.querySelectorAll<HTMLElement>('tr[data-row]')];
  const place = row ? rows.indexOf(row) + step : step === 1 ? 0 : rows.length - 1;
  const next = rows[Math.max(0, Math.min(rows.length - 1, place))];
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
}
