// Asks before unsaved changes are left behind: by a link, by Back, by closing the dialog they
// are in, or by closing the window.
import { useEffect, useState } from 'react';
import { useBlocker } from 'react-router';
import { ConfirmDialog } from './ConfirmDialog.tsx';
import type { Elements } from './elements.ts';

/** The history state of a navigation that asks nothing: the session is over already. */
export const forGood = { isForGood: true } as const;

type UnsavedChanges = {
  /** Does it at once when nothing would be lost, else after the person agreed. */
  leave: (action: () => void) => void;
  /** The question; to be drawn anywhere. */
  question: Elements;
};

const unsaved = {
  title: 'Leave without saving?',
  leave: 'Discard Changes',
  stay: 'Keep Editing',
  words: 'What you have entered has not been saved and will be lost.',
};

/** @param asked - The question's words, where what would be lost is something else. */
export function useUnsavedChanges(isDirty: boolean, asked: typeof unsaved = unsaved): UnsavedChanges {
  const [action, setAction] = useState<(() => void) | null>(null);
  const blocker = useBlocker(({ currentLocation, nextLocation }) => {
    const isForGood = (nextLocation.state as Partial<typeof forGood> | null)?.isForGood;
    return isDirty && !isForGood && currentLocation.pathname !== nextLocation.pathname;
  });
  useEffect(() => {
    if (!isDirty) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [isDirty]);

  function leave() {
    setAction(null);
    if (blocker.state === 'blocked') blocker.proceed();
    else action?.();
  }

  function stay() {
    setAction(null);
    if (blocker.state === 'blocked') blocker.reset();
  }

  const isAsking = action !== null || blocker.state === 'blocked';
  return {
    leave: (next) => (isDirty ? setAction(() => next) : next()),
    question: isAsking && (
      <ConfirmDialog
        title={asked.title}
        confirmLabel={asked.leave}
        cancelLabel={asked.stay}
        isDangerous
        onConfirm={leave}
        onClose={stay}
      >
        <p>{asked.words}</p>
      </ConfirmDialog>
    ),
  };
}
