// A modal window on the browser's own <dialog>, which keeps the focus inside and gives it back.
// Drawn only while it is open. Esc, the close button and a press outside ask to close it.
import { type ReactNode, type SyntheticEvent, useId, useLayoutEffect, useRef } from 'react';
import { Icon } from './Icon.tsx';
import { Toaster } from './Toaster.tsx';

type DialogProps = {
  title: string;
  /** Asked for by Esc, the close button and the backdrop; the caller decides. */
  onClose: () => void;
  isWide?: boolean;
  children: ReactNode;
};

export function Dialog({ title, onClose, isWide = false, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const pressedOutside = useRef(false);
  const titleId = useId();

  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);

  function ask(event: SyntheticEvent) {
    if (event.target !== event.currentTarget) return;
    event.preventDefault();
    onClose();
  }

  /** A browser may close the dialog without asking, after Esc was pressed twice. */
  function reopen(event: SyntheticEvent<HTMLDialogElement>) {
    if (event.target !== event.currentTarget || event.currentTarget.open) return;
    event.currentTarget.showModal();
    onClose();
  }

  return (
    // Keys reach a dialog by themselves; these listeners are for the pointer only.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions
    <dialog
      className={isWide ? 'dialog dialog-wide' : 'dialog'}
      ref={dialog}
      aria-labelledby={titleId}
      onCancel={ask}
      onClose={reopen}
      onPointerDown={(event) => (pressedOutside.current = event.target === event.currentTarget)}
      // Text that is selected beyond the edge ends outside too, but did not begin there.
      onClick={(event) => pressedOutside.current && ask(event)}
    >
      <article className="dialog-box">
        <header className="dialog-head">
          <h2 id={titleId} tabIndex={-1}>{title}</h2>
          <button type="button" className="icon-button" aria-label="Close" onClick={onClose}>
            <Icon name="close" />
          </button>
        </header>
        <div className="dialog-body">{children}</div>
      </article>
      <Toaster />
    </dialog>
  );
}
