// The toast region. Every portal page and every open dialog has one, because a modal dialog hides what is behind it;
// the topmost one shows the toast.
import { type KeyboardEvent, type RefObject, useEffect, useId, useLayoutEffect, useRef, useSyncExternalStore } from 'react';
import './Toaster.css';
import { SiteIcon } from './SiteIcon.tsx';
import { dismissToast, holdToast, releaseToast, type Toast, useToast } from './toasts.ts';

const places: string[] = [];
const listeners = new Set<() => void>();

export function Toaster() {
  const toast = useToast();
  const place = useId();
  const isTopmost = useIsTopmost(place);
  const region = useRef<HTMLElement>(null);
  const cameFrom = useRef<Element>(null);

  useEffect(() => {
    if (!isTopmost) return;
    const focusByKey = (event: globalThis.KeyboardEvent) => {
      if (event.key !== 'F8' || region.current?.contains(document.activeElement)) return;
      event.preventDefault();
      cameFrom.current = document.activeElement;
      region.current?.focus();
    };
    document.addEventListener('keydown', focusByKey);
    return () => document.removeEventListener('keydown', focusByKey);
  }, [isTopmost]);

  useClearOfFocus(region, isTopmost ? toast : null);

  function close() {
    const hadFocus = region.current?.contains(document.activeElement);
    dismissToast();
    if (hadFocus && cameFrom.current instanceof HTMLElement) cameFrom.current.focus();
  }

  function closeOnEscape(event: KeyboardEvent) {
    if (event.key !== 'Escape' || !toast) return;
    // Keep the dialog around it open.
    event.preventDefault();
    event.stopPropagation();
    close();
  }

  return (
    // Only listens to the keys of the button inside.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section className="toaster screen-only" ref={region} tabIndex={-1} aria-label="Notifications (F8)" onKeyDown={closeOnEscape}>
      <div role="status" aria-live="polite">
        {toast && isTopmost && <ToastCard key={toast.id} toast={toast} onClose={close} />}
      </div>
    </section>
  );
}

function ToastCard({ toast, onClose }: { toast: Toast; onClose: () => void }) {
  return (
    <div
      className={`card toast tone-${toast.isDestructive ? 'red' : 'green'}`}
      onPointerEnter={holdToast}
      onPointerLeave={releaseToast}
      onFocus={holdToast}
      onBlur={releaseToast}
    >
      <SiteIcon name={toast.isDestructive ? 'alert' : 'check'} />
      <div>
        <p className="toast-title">{toast.title}</p>
        {toast.description && <p>{toast.description}</p>}
      </div>
      <button type="button" className="icon-button" aria-label="Close notification" onClick={onClose}>
        <SiteIcon name="close" />
      </button>
    </div>
  );
}

/** Moves the toast to the other edge if it would cover the focused element. */
function useClearOfFocus(region: RefObject<HTMLElement | null>, toast: Toast | null) {
  useLayoutEffect(() => {
    const element = region.current;
    if (!toast || !element) return;
    const clear = () => {
      const focused = document.activeElement;
      if (!focused || focused === document.body || element.contains(focused)) return;
      const isCovered = () => overlap(element.getBoundingClientRect(), focused.getBoundingClientRect());
      // Move it back as soon as possible: there it covers no Retry button.
      element.classList.remove('is-flipped');
      if (!isCovered()) return;
      element.classList.add('is-flipped');
      if (isCovered()) element.classList.remove('is-flipped');
    };
    clear();
    document.addEventListener('focusin', clear);
    return () => {
      document.removeEventListener('focusin', clear);
      element.classList.remove('is-flipped');
    };
  }, [region, toast]);
}

function overlap(one: DOMRect, other: DOMRect): boolean {
  return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
}

function useIsTopmost(place: string): boolean {
  useEffect(() => {
    places.push(place);
    notify();
    return () => {
      places.splice(places.indexOf(place), 1);
      notify();
    };
  }, [place]);
  return useSyncExternalStore(subscribe, () => places.at(-1) === place, () => false);
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

function notify() {
  for (const listener of listeners) listener();
}
