// The office's search palette: Ctrl+K or / opens it, arrow keys select, Enter opens a result.
import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { Dialog } from '../components/Dialog.tsx';
import { Icon } from '../components/Icon.tsx';
import { type Finding, findings, isLongEnough, searchQuery } from './search.ts';
import './SearchPalette.css';

/** Whether a key is meant for the focused element. */
function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'));
}

/** The button in the office's header, and the keys that do the same. */
export function SearchButton() {
  const [isOpen, setIsOpen] = useState(false);
  // A layout effect: keys pressed before a passive effect would be lost.
  useLayoutEffect(() => {
    const listen = (event: globalThis.KeyboardEvent) => {
      const isShortcut = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k';
      const isSlash = event.key === '/' && !event.ctrlKey && !event.metaKey && !event.altKey && !isTyping(event.target);
      // Ignore shortcuts while a dialog is open.
      if ((!isShortcut && !isSlash) || document.querySelector('dialog[open]')) return;
      event.preventDefault();
      setIsOpen(true);
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
  return (
    <>
      <button type="button" className="search-button" aria-label="Search" aria-keyshortcuts="Control+K /" onClick={() => setIsOpen(true)}>
        <Icon name="search" /> <span>Search</span> <kbd aria-hidden="true">Ctrl K</kbd>
      </button>
      {isOpen && <SearchPalette onClose={() => setIsOpen(false)} />}
    </>
  );
}

function SearchPalette({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const listId = useId();
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const field = useRef<HTMLInputElement>(null);
  // The dialog is opened to type.
  useEffect(() => field.current?.focus(), []);
  const q = typed.trim();
  const { data, isError, isFetching } = useQuery(searchQuery(q));
  const found = isLongEnough(q) && data ? findings(data) : [];
  const chosen = found[Math.min(at, found.length - 1)];
  const isEntered = useRef(false);

  function open({ path }: Finding) {
    onClose();
    // A receipt without a student is a page of the server's.
    if (path.startsWith('/api/')) window.open(path, '_blank', 'noopener');
    else void navigate(path);
  }

  // Results may be outdated while loading: Enter waits for the new ones.
  useEffect(() => {
    if (!isEntered.current || isFetching) return;
    isEntered.current = false;
    if (chosen) open(chosen);
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
    else if (chosen) open(chosen);
  }

  return (
    <Dialog title="Search" onClose={onClose}>
      <div className="palette">
        <input
          ref={field}
          type="search"
          role="combobox"
          aria-label="Students, applicants, courses, receipts"
          placeholder="Name, number, email, phone, course, receipt"
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
        <Found listId={listId} found={found} chosen={chosen} onOpen={open} />
        <p className="muted" role="status">{statusWords({ q, isError, isFetching, count: found.length })}</p>
      </div>
    </Dialog>
  );
}

type FoundProps = { listId: string; found: readonly Finding[]; chosen: Finding | undefined; onOpen: (finding: Finding) => void };

function Found({ listId, found, chosen, onOpen }: FoundProps) {
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

function statusWords({ q, isError, isFetching, count }: { q: string; isError: boolean; isFetching: boolean; count: number }): string {
  if (!isLongEnough(q)) return 'Type at least two characters.';
  if (isError) return 'The search failed. Please try again.';
  if (count === 0) return isFetching ? 'Searching...' : 'Nothing found. Closed accounts are listed last.';
  return count === 1 ? '1 found. Enter opens it.' : `${count} found. Arrow keys choose, Enter opens.`;
}
