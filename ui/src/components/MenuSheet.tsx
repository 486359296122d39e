// The menu on small screens: a button, and a native modal dialog at the side that it opens.
import { type MouseEvent, useId, useRef } from 'react';
import { SiteIcon } from './SiteIcon.tsx';
import type { Elements } from './elements.ts';
import './MenuSheet.css';

type MenuSheetProps = { title: string; side?: 'start' | 'end'; children: Elements };

/** Attributes that work before scripts run (Invoker Commands; React's types lack them). */
const invoke = (command: 'show-modal' | 'close', id: string) => ({ command, commandfor: id });

export function MenuSheet({ title, side = 'end', children }: MenuSheetProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [id, titleId] = [useId(), useId()];
  const close = () => dialog.current?.close();

  function open(event: MouseEvent) {
    event.preventDefault();
    dialog.current?.showModal();
  }

  function closeOnBackdropOrLink(event: MouseEvent<HTMLDialogElement>) {
    const target = event.target as Element;
    if (target === event.currentTarget || target.closest('a')) close();
  }

  return (
    <>
      <button
        type="button"
        className="icon-button"
        aria-label="Open menu"
        aria-haspopup="dialog"
        {...invoke('show-modal', id)}
        onClick={open}
      >
        <SiteIcon name="menu" />
      </button>
      {/* Esc closes a native dialog by itself; the listener is for the pointer only. */}
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions */}
      <dialog
        className={side === 'start' ? 'sheet sheet-start' : 'sheet'}
        id={id}
        ref={dialog}
        aria-labelledby={titleId}
        onClick={closeOnBackdropOrLink}
      >
        <div>
          <div className="row sheet-head">
            <h2 id={titleId}>{title}</h2>
            <button type="button" className="icon-button" aria-label="Close menu" {...invoke('close', id)} onClick={close}>
              <SiteIcon name="close" />
            </button>
          </div>
          {children}
        </div>
      </dialog>
    </>
  );
}
