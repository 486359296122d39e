// Tabs (WAI-ARIA): arrow keys, Home and End move and choose. Each is a link underneath, so that
// it can be opened in a new window and works in a page whose script has not run.
import { type KeyboardEvent, type MouseEvent, type ReactNode, useRef } from 'react';
import './Tabs.css';

export type Tab<Value> = { value: Value; label: ReactNode; href: string };

type TabsProps<Value> = {
  label: string;
  tabs: readonly Tab<Value>[];
  selected: Value;
  panelId: string;
  onSelect: (value: Value, isKey: boolean) => void;
};

/** The id of a tab, which labels its panel. */
export function tabId(panelId: string, value: string | number): string {
  return `${panelId}-tab-${value}`;
}

export function Tabs<Value extends string | number>({ label, tabs, selected, panelId, onSelect }: TabsProps<Value>) {
  const list = useRef<HTMLDivElement>(null);

  function selectByKey(event: KeyboardEvent) {
    const next = tabs[indexForKey(event.key, tabs.findIndex(({ value }) => value === selected), tabs.length) ?? -1];
    if (!next) return;
    event.preventDefault();
    list.current?.querySelector<HTMLElement>(`#${tabId(panelId, next.value)}`)?.focus();
    if (next.value !== selected) onSelect(next.value, true);
  }

  return (
    // The focus moves among the tabs; the list itself never has it.
    // oxlint-disable-next-line jsx-a11y/interactive-supports-focus
    <div className="tabs" role="tablist" aria-label={label} ref={list} onKeyDown={selectByKey}>
      {tabs.map(({ value, label: words, href }) => (
        <a
          key={value}
          id={tabId(panelId, value)}
          role="tab"
          href={href}
          aria-selected={value === selected}
          aria-controls={panelId}
          tabIndex={value === selected ? 0 : -1}
          onClick={(event) => onPlainClick(event, () => onSelect(value, false))}
        >
          {words}
        </a>
      ))}
    </div>
  );
}

/** Handles the click in the page; modified clicks, and clicks before scripts run, follow the link. */
export function onPlainClick(event: MouseEvent, act: () => void) {
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  act();
}

/** The tab that a key selects; Space and Enter select the focused one. */
function indexForKey(key: string, index: number, count: number): number | undefined {
  switch (key) {
    case 'ArrowRight': return (index + 1) % count;
    case 'ArrowLeft': return (index + count - 1) % count;
    case 'Home': return 0;
    case 'End': return count - 1;
    case ' ': return index;
    default: return undefined;
  }
}
