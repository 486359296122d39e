// The result of a bulk decision about admission requests: counts, failures and Undo.
import { useEffect, useRef } from 'react';
import { failureWords, isSignedOut } from '../api.ts';
import type { Undo } from '../api-types.ts';
import { showFailure, showToast } from '../components/toasts.ts';
import { useAction } from '../components/useAction.ts';
import type { Decision } from '../components/useStableRows.ts';
import { undoDecision } from '../documents/review/queries.ts';
import { useUndoTime } from '../messages/useUndoTime.ts';
import type { RequestRow } from './wire.ts';

export type BulkDone = {
  words: string;
  decided: Record<number, Decision<RequestRow>>;
  failures: { id: number; name: string; message: string }[];
  undo: Undo | null;
  /** When the decision was made, by the server's clock. */
  decidedAt: string | null;
};

export function RequestsResult({ done, onUndone, onClose }: { done: BulkDone; onUndone: () => void; onClose: () => void }) {
  const panel = useRef<HTMLElement>(null);
  const { decided, failures, words, undo, decidedAt } = done;
  const isUndoable = useUndoTime(undo, decidedAt);
  useEffect(() => panel.current?.focus(), []);
  const undoing = useAction({
    mutationFn: () => undoDecision(undo?.id ?? ''),
    onSuccess: () => {
      showToast('Decisions undone', 'All is as it was before, and no email about it was sent.');
      onUndone();
    },
    onError: (error) => !isSignedOut(error) && showFailure('The decisions stand', failureWords(error, 'They could not be undone. Please try again.')),
  });
  return (
    <section className="card row tone-green bulk-result" ref={panel} tabIndex={-1} aria-label="Result">
      <p role="status"><strong>{`${Object.keys(decided).length} ${words}`}</strong>{failures.length > 0 && <span>{`, ${failures.length} not`}</span>}<span>.</span></p>
      <div className="cluster">
        {isUndoable && <button type="button" className="button button-quiet" aria-disabled={undoing.isPending} onClick={() => undoing.run()}>{undoing.isPending ? 'Undoing...' : 'Undo all'}</button>}
        <button type="button" className="button button-quiet" onClick={onClose}>Dismiss</button>
      </div>
      {failures.length > 0 && <ul>{failures.map(({ id, name, message }) => <li key={id}><strong dir="auto">{name}</strong><span>{`: ${message}`}</span></li>)}</ul>}
    </section>
  );
}
