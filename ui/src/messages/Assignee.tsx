// The colleague who handles something; hidden while there is no other to choose.
import { useRef, useState } from 'react';
import type { Colleague } from '../api-types.ts';
import './messages.css';

type AssigneeProps = {
  assignee: Colleague | null;
  /** Who can be assigned; empty for readers who may not assign. */
  colleagues: readonly Colleague[];
  onAssign: (userId: number | null) => void;
};

export function Assignee({ assignee, colleagues, onAssign }: AssigneeProps) {
  const select = useRef<HTMLSelectElement>(null);
  /** Assigned before the last change, which is undone by assigning it again. */
  const [before, setBefore] = useState<Colleague | null>();
  if (!assignee && colleagues.length < 2) return null;

  function assign(to: number | null) {
    setBefore(assignee);
    onAssign(to);
  }
  function undo(to: Colleague | null) {
    setBefore(undefined);
    onAssign(to?.id ?? null);
    select.current?.focus();
  }
  return (
    <div>
      <dt id="assigned">Assigned to</dt>
      {colleagues.length > 0 ? (
        <dd className="cluster">
          <select ref={select} aria-labelledby="assigned" className="filter-select" value={assignee?.id ?? ''} onChange={(event) => assign(Number(event.target.value) || null)}>
            <option value="">No one</option>
            {/* A colleague who no longer can be. */}
            {assignee && !colleagues.some(({ id }) => id === assignee.id) && <option value={assignee.id}>{assignee.username}</option>}
            {colleagues.map(({ id, username }) => <option key={id} value={id}>{username}</option>)}
          </select>
          {before !== undefined && before?.id !== assignee?.id && (
            <button type="button" className="button button-quiet" aria-label={`Undo: assign to ${before?.username ?? 'no one'} again`} onClick={() => undo(before)}>Undo</button>
          )}
        </dd>
      ) : <dd>{assignee?.username}</dd>}
    </div>
  );
}
