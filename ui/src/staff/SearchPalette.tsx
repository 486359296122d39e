// The office's search palette: Ctrl+K or / opens it, arrow keys select, Enter opens a result.
import { useLayoutEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { Dialog } from '../components/Dialog.tsx';
import { Icon } from '../components/Icon.tsx';
import { Finder } from './Finder.tsx';
import { type Finding, findings } from './search.ts';
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

  function open({ path }: Finding) {
    onClose();
    // A receipt without a student is a page of the server's.
    if (path.startsWith('/api/')) window.open(path, '_blank', 'noopener');
    else void navigate(path);
  }

  return (
    <Dialog title="Search" onClose={onClose}>
      <Finder label="Students, applicants, courses, receipts" placeholder="Name, number, email, phone, course, receipt" list={findings} hint={hintOf} onOpen={open} />
    </Dialog>
  );
}

function hintOf(count: number): string {
  if (count === 0) return 'Nothing found. Closed accounts are listed last.';
  return count === 1 ? '1 found. Enter opens it.' : `${count} found. Arrow keys choose, Enter opens.`;
}
