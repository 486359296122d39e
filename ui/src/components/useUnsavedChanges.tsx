// Asks before unsaved changes are lost: by a link, Back, closing the dialog or closing the window.
import { useEffect, useState } from 'react';
import { useBlocker } from 'react-router';
import { ConfirmDialog } from './ConfirmDialog.tsx';
import type { Elements } from './elements.ts';

/** History state of a navigation that skips the question, as after the session has ended. */
export const skipQuestion = { isForGood: true } as const;

type UnsavedChanges = {
  /** Runs the action at once if nothing would be lost, else after confirmation. */
  leave: (action: () => void) => void;
  /** The confirmation dialog, to be rendered anywhere. */
  question: Elements;
};

const unsaved = {
  title: 'Leave without saving?',
  leave: 'Discard Changes',
  stay: 'Keep Editing',
  words: 'What you have entered has not been saved and will be lost.',
};

/** @param asked - Texts of the question, if other than unsaved changes would be lost. */
export function useUnsavedChanges(isDirty: boolean, asked: typeof unsaved = unsaved): UnsavedChanges {
  const [action, setAction] = useState<(() => void) | null>(null);
  const blocker = useBlocker(({ currentLocation, nextLocation }) => {
    const isForGood = (nextLocation.state as Partial<typeof skipQuestion> | null)?.isForGood;
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
