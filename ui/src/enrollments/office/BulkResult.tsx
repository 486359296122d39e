// The result of a bulk decision: counts, failures and an Undo button.
import { useEffect, useRef, useState } from 'react';
import { failureWords, isSignedOut } from '../../api.ts';
import { showFailure, showToast } from '../../components/toasts.ts';
import { useAction } from '../../components/useAction.ts';
import { clockText } from '../../dates.ts';
import { useSchool } from '../../school/queries.ts';
import { undoneWords } from '../decisionResults.ts';
import { undoDecision } from '../queries.ts';
import type { BulkOutcome } from './bulk.ts';

export type BulkDone = BulkOutcome & { verb: string; names: ReadonlyMap<number, string> };

/** The result without individually undone decisions; null if none is left. */
export function withoutDecision(done: BulkDone, id: number): BulkDone | null {
  const decided = Object.fromEntries(Object.entries(done.decided).filter(([key]) => Number(key) !== id));
  return Object.keys(decided).length + done.failures.length > 0 ? { ...done, decided } : null;
}

type BulkResultProps = { done: BulkDone; onUndone: (ids: number[]) => void; onClose: () => void };

export function BulkResult({ done, onUndone, onClose }: BulkResultProps) {
  const panel = useRef<HTMLElement>(null);
  const { timeZone } = useSchool();
  const { decided, failures, undos, verb, names } = done;
  const ids = Object.keys(decided).map(Number);
  const until = undos[0]?.until;
  const isOver = useIsOver(done);
  useEffect(() => panel.current?.focus(), []);
  const undoing = useAction({
    mutationFn: async () => {
      const answers = await Promise.allSettled(undos.map(({ id }) => undoDecision(id)));
      const restored = answers.flatMap((one) => (one.status === 'fulfilled' ? one.value.restored : []));
      const refused = answers.find((one) => one.status === 'rejected');
      if (refused && restored.length === 0) throw refused.reason;
      return restored;
    },
    onSuccess: (restored) => {
      showToast('Decisions undone', undoneWords(restored));
      onUndone(restored.map(({ id }) => id));
    },
    onError: (error) => !isSignedOut(error) && showFailure('The decisions were not undone', failureWords(error, 'They could not be undone. Please try again.')),
  });

  return (
    <section className="card row tone-green bulk-result" ref={panel} tabIndex={-1} aria-label="Result">
      <p role="status">
        <strong>{`${ids.length} ${verb}`}</strong>
        {failures.length > 0 && <span>{`, ${failures.length} not`}</span>}<span>.</span>
        {until && !isOver && <span>{` Emails are sent at ${clockText(until, timeZone)}.`}</span>}
      </p>
      <div className="cluster">
        {until && !isOver && ids.length > 0 && (
          <button type="button" className="button button-quiet" aria-disabled={undoing.isPending} onClick={() => undoing.run()}>
            {undoing.isPending ? 'Undoing...' : 'Undo all'}
          </button>
        )}
        <button type="button" className="button button-quiet" onClick={onClose}>Dismiss</button>
      </div>
      {failures.length > 0 && (
        <ul>
          {failures.map(({ id, message }) => <li key={id}><strong dir="auto">{names.get(id) ?? `Request #${id}`}</strong><span>{`: ${message}`}</span></li>)}
        </ul>
      )}
    </section>
  );
}

/** By the server's clock, counted from its response. */
function useIsOver({ decided, undos }: BulkDone): boolean {
  const [isOver, setIsOver] = useState(false);
  const until = undos[0]?.until;
  const decidedAt = Object.values(decided).find(({ undo }) => undo)?.undo?.decidedAt;
  const left_ms = until && decidedAt ? Date.parse(until) - Date.parse(decidedAt) : 0;
  useEffect(() => {
    const timer = setTimeout(() => setIsOver(true), left_ms);
    return () => clearTimeout(timer);
  }, [left_ms]);
  return isOver;
}
