// A field that searches the office's records, with what was found as one list for arrow keys.
import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import type { SearchResult } from '../api-types.ts';
import { Icon } from '../components/Icon.tsx';
import { type Finding, isLongEnough, searchQuery } from './search.ts';
import './SearchPalette.css';

type FinderProps<One extends Finding> = {
  label: string;
  placeholder: string;
  /** What of the answer is listed. */
  list: (result: SearchResult) => One[];
  /** What can be done with so many. */
  hint: (count: number) => string;
  onOpen: (finding: One) => void;
};

export function Finder<One extends Finding>({ label, placeholder, list, hint, onOpen }: FinderProps<One>) {
  const listId = useId();
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const field = useRef<HTMLInputElement>(null);
  // The dialog is opened to type.
  useEffect(() => field.current?.focus(), []);
  const q = typed.trim();
  const { data, isError, isFetching } = useQuery(searchQuery(q));
  const found = isLongEnough(q) && data ? list(data) : [];
  const chosen = found[Math.min(at, found.length - 1)];
  const isEntered = useRef(false);

  // Results may be outdated while loading: Enter waits for the new ones.
  useEffect(() => {
    if (!isEntered.current || isFetching) return;
    isEntered.current = false;
    if (chosen) onOpen(chosen);
  });

  function hearKey(event: KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && found.length > 0) {
      event.preventDefault();
      setAt((Math.min(at, found.length - 1) + step + found.length) % found.length);
    }
    if (event.key !== 'Enter') return;
    // Prevent the default: the dialog returns the focus first, and Enter would press the focused element.
    event.preventDefault();
    if (isFetching) isEntered.current = true;
    else if (chosen) onOpen(chosen);
  }

  return (
    <div className="palette">
      <input
        ref={field}
        type="search"
        role="combobox"
        aria-label={label}
        placeholder={placeholder}
        aria-expanded={found.length > 0}
        aria-controls={listId}
        aria-activedescendant={chosen && `${listId}-${chosen.key}`}
        autoComplete="off"
        spellCheck={false}
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          setAt(0);
          isEntered.current = false;
        }}
        onKeyDown={hearKey}
      />
      <Found listId={listId} found={found} chosen={chosen} onOpen={onOpen} />
      <p className="muted" role="status">{isLongEnough(q) && !isError && !(isFetching && found.length === 0) ? hint(found.length) : waitingWords(q, isError)}</p>
    </div>
  );
}

type FoundProps<One> = { listId: string; found: readonly One[]; chosen: One | undefined; onOpen: (finding: One) => void };

function Found<One extends Finding>({ listId, found, chosen, onOpen }: FoundProps<One>) {
  return (
    <div id={listId} role="listbox" aria-label="Found">
      {found.map((finding) => (
        // The field keeps the focus and handles the keys.
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
        <div
          key={finding.key}
          id={`${listId}-${finding.key}`}
          role="option"
          tabIndex={-1}
          aria-selected={finding === chosen}
          ref={finding === chosen ? (element) => element?.scrollIntoView({ block: 'nearest' }) : undefined}
          onClick={() => onOpen(finding)}
        >
          <Icon name={finding.icon} />
          <span><bdi>{finding.name}</bdi><small>{finding.about}</small></span>
        </div>
      ))}
    </div>
  );
}

function waitingWords(q: string, isError: boolean): string {
  if (!isLongEnough(q)) return 'Type at least two characters.';
  return isError ? 'The search failed. Please try again.' : 'Searching...';
}
