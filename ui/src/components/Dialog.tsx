// A modal window on the browser's own <dialog>, which keeps the focus inside and gives it back.
// Drawn only while it is open, at the end of the page: what a table or a card says of its own buttons is
// not for a dialog's. Esc, the close button and a press outside ask to close it.
import { type KeyboardEvent, type SyntheticEvent, useId, useLayoutEffect, useRef } from 'react';
import { createPortal } from 'react-dom';
import { SiteIcon } from './SiteIcon.tsx';
import { Toaster } from './Toaster.tsx';
import type { Elements } from './elements.ts';
import { dismissSuccess } from './toasts.ts';
import './Dialog.css';

type DialogProps = {
  title: string;
  /** Asked for by Esc, the close button and the backdrop; the caller decides. */
  onClose: () => void;
  isWide?: boolean;
  children: Elements;
};

export function Dialog({ title, onClose, isWide = false, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const pressedOutside = useRef(false);
  const titleId = useId();

  useLayoutEffect(() => {
    const element = dialog.current;
    const opener = document.activeElement;
    element?.showModal();
    dismissSuccess();
    return () => {
      element?.close();
      // The browser gives the focus back, but two dialogs that go at once leave it nowhere.
      queueMicrotask(() => {
        if (document.activeElement === document.body && opener instanceof HTMLElement) opener.focus();
      });
    };
  }, []);

  function ask(event: SyntheticEvent) {
    if (event.target !== event.currentTarget) return;
    event.preventDefault();
    onClose();
  }

  /**
   * Esc is answered here: after a second one a browser closes a dialog without asking, and opening it
   * again would put it above the question that it has asked meanwhile.
   */
  function askOnEscape(event: KeyboardEvent) {
    if (event.key !== 'Escape' || event.defaultPrevented) return;
    event.preventDefault();
    event.stopPropagation();
    onClose();
  }

  return createPortal(
    // Keys reach a dialog by themselves; these listeners are for the pointer only.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions
    <dialog
      className={isWide ? 'dialog dialog-wide' : 'dialog'}
      ref={dialog}
      aria-labelledby={titleId}
      onCancel={ask}
      onKeyDown={askOnEscape}
      onPointerDown={(event) => (pressedOutside.current = event.target === event.currentTarget)}
      // Text that is selected beyond the edge ends outside too, but did not begin there.
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
