// A menu button whose list of actions floats above clipping containers. Closes on Esc and when focus or pointer
// leaves; arrow keys move the focus.
import { type FocusEvent, type KeyboardEvent, useId, useRef, useState } from 'react';
import { Icon } from './Icon.tsx';
import './ActionMenu.css';

export type MenuItem = {
  label: string;
  onPress: () => void;
  isDangerous?: boolean;
  /** Why it cannot be done now: then it is listed, and does nothing. */
  why?: string | undefined | false;
};

type ActionMenuProps = {
  label: string;
  items: readonly MenuItem[];
  /** Shows three dots instead of the label, for table rows. */
  isCompact?: boolean;
};

export function ActionMenu({ label, items, isCompact = false }: ActionMenuProps) {
  const [isOpen, setIsOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const listId = useId();

  function open() {
    const [menu, opener] = [list.current, button.current];
    if (!menu || !opener) return;
    menu.showPopover();
    const [at, size] = [opener.getBoundingClientRect(), menu.getBoundingClientRect()];
    const isBelow = at.bottom + size.height + 8 < window.innerHeight;
    menu.style.insetBlockStart = `${isBelow ? at.bottom + 4 : Math.max(8, at.top - size.height - 4)}px`;
    menu.style.insetInlineStart = `${Math.max(8, Math.min(at.right, window.innerWidth - 8) - size.width)}px`;
  }

  function hearKey(event: KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step || !list.current?.matches(':popover-open')) return;
    event.preventDefault();
    const all = [...(list.current?.querySelectorAll<HTMLElement>('button') ?? [])];
    const place = all.indexOf(document.activeElement as HTMLElement);
    all[(place + step + all.length) % all.length]?.focus();
  }

  function closeOnLeave(event: FocusEvent) {
    const next = event.relatedTarget;
    if (next instanceof Node && next !== button.current && !list.current?.contains(next)) list.current?.hidePopover();
  }

  function press({ onPress, why }: MenuItem) {
    if (why) return;
    // Focus the button first: a dialog returns the focus there.
    button.current?.focus();
    list.current?.hidePopover();
    onPress();
  }

  return (
    // Only listens to the keys and focus of the buttons inside.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div className="action-menu" onKeyDown={hearKey} onBlur={closeOnLeave}>
      <button
        type="button"
        ref={button}
        className={isCompact ? 'icon-button' : 'button button-outline'}
        aria-label={isCompact ? label : undefined}
        aria-expanded={isOpen}
        aria-controls={listId}
        // A press on the button of an open list has already closed it.
        onPointerDown={(event) => isOpen && event.currentTarget.setAttribute('data-closes', '')}
        onClick={({ currentTarget }) => {
          if (currentTarget.hasAttribute('data-closes')) currentTarget.removeAttribute('data-closes');
          else if (isOpen) list.current?.hidePopover();
          else open();
        }}
      >
        {isCompact ? <Icon name="more" /> : <><span>{`${label} `}</span><Icon name="chevron" /></>}
      </button>
      <ul id={listId} ref={list} className="floats" popover="auto" onToggle={(event) => setIsOpen(event.newState === 'open')}>
        {items.map((item) => (
          <li key={item.label}>
            <button type="button" className={item.isDangerous ? 'is-dangerous' : undefined} aria-disabled={item.why ? true : undefined} onClick={() => press(item)}>{item.why ? <><span>{item.label}</span> <small>{item.why}</small></> : item.label}</button>
          </li>
        ))}
      </ul>
    </div>
  );
}
