// The button that undoes a decision, shown until its email is sent.
import { useEffect, useRef, useState } from 'react';
import { failureWords, isSignedOut } from '../api.ts';
import { showFailure, showToast } from '../components/toasts.ts';
import { useAction } from '../components/useAction.ts';
import { type Decided, timeToUndo_ms, undoneWords } from './decisionResults.ts';
import { undoDecision } from './queries.ts';

type UndoButtonProps = { describedBy: string; decided: Decided; onUndone: (hadFocus: boolean) => void };

export function UndoButton({ describedBy, decided, onUndone }: UndoButtonProps) {
  const button = useRef<HTMLButtonElement>(null);
  const [isOver, setIsOver] = useState(false);
  const time_ms = timeToUndo_ms(decided);
  useEffect(() => {
    const timer = setTimeout(() => setIsOver(true), time_ms);
    return () => clearTimeout(timer);
  }, [time_ms]);

  const undoing = useAction({
    mutationFn: undoDecision,
    onSuccess: ({ restored }) => {
      showToast('Decision undone', undoneWords(restored));
      onUndone(document.activeElement === button.current);
    },
    onError: (error) => {
      if (isSignedOut(error)) return;
      showFailure('The decision was not undone', failureWords(error, 'It could not be undone. Please try again.'));
    },
  });

  const { undo } = decided;
  if (!undo || isOver) return null;
  return (
    <button
      type="button"
      ref={button}
      className="button button-quiet"
      aria-describedby={describedBy}
      aria-disabled={undoing.isPending}
      onClick={() => undoing.run(undo.id)}
    >
      {undoing.isPending ? 'Undoing...' : 'Undo'}
    </button>
  );
}
