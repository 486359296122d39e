// A modal window on the browser's own <dialog>, which keeps the focus inside and gives it back.
// Rendered while open, at the end of the page, so that styles of tables and cards do not apply to it. Esc, the close
// button and a press outside request closing.
import { type KeyboardEvent, type SyntheticEvent, useId, useLayoutEffect, useRef } from 'react';
import { createPortal } from 'react-dom';
import { SiteIcon } from './SiteIcon.tsx';
import { Toaster } from './Toaster.tsx';
import type { Elements } from './elements.ts';
import { ignoreLateKeys } from './movedFocus.ts';
import { dismissSuccess } from './toasts.ts';
import './Dialog.css';

type DialogProps = {
  title: string;
  /** Called on Esc, the close button and the backdrop; the caller decides. */
  onClose: () => void;
  isWide?: boolean;
  children: Elements;
};

export function Dialog({ title, onClose, isWide = false, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const pressedOutside = useRef(false);
  const lastKey = useRef('');
  const titleId = useId();

  useLayoutEffect(() => {
    const element = dialog.current;
    const opener = document.activeElement;
    element?.showModal();
    dismissSuccess();
    return () => {
      element?.close();
      // The browser returns the focus, except when two dialogs close at once.
      queueMicrotask(() => {
        if (document.activeElement === document.body && opener instanceof HTMLElement) opener.focus();
        // Where the page has moved it elsewhere, it knows why.
        if (lastKey.current === 'Enter' && document.activeElement === opener) ignoreLateKeys(opener);
      });
    };
  }, []);

  function ask(event: SyntheticEvent) {
    if (event.target !== event.currentTarget) return;
    event.preventDefault();
    onClose();
  }

  /**
   * Handles Esc here: browsers close a dialog without an event on a second Esc, and reopening it would put it above
   * its own question.
   */
  function askOnEscape(event: KeyboardEvent) {
    lastKey.current = event.key;
    if (event.key !== 'Escape' || event.defaultPrevented) return;
    event.preventDefault();
    event.stopPropagation();
    onClose();
  }

  return createPortal(
    // Pointer listeners only: the dialog handles keys itself.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions
    <dialog
      className={isWide ? 'dialog dialog-wide' : 'dialog'}
      ref={dialog}
      aria-labelledby={titleId}
      onCancel={ask}
      onKeyDown={askOnEscape}
      onPointerDown={(event) => (pressedOutside.current = event.target === event.currentTarget)}
      // A text selection may end outside but did not begin there.
      onClick={(event) => pressedOutside.current && ask(event)}
    >
      <article>
        <header className="row">
          <h2 id={titleId} tabIndex={-1}>{title}</h2>
          <button type="button" className="icon-button" aria-label="Close" onClick={onClose}>
            <SiteIcon name="close" />
          </button>
        </header>
        <div className="dialog-body">{children}</div>
      </article>
      <Toaster />
    </dialog>,
    document.body,
  );
}
