// The colleague who handles something; hidden while there is no other to choose.
import type { Colleague } from '../api-types.ts';

type AssigneeProps = {
  assignee: Colleague | null;
  /** Who can be assigned; empty for readers who may not assign. */
  colleagues: readonly Colleague[];
  onAssign: (userId: number | null) => void;
};

export function Assignee({ assignee, colleagues, onAssign }: AssigneeProps) {
  if (!assignee && colleagues.length < 2) return null;
  return (
    <div>
      <dt id="assigned">Assigned to</dt>
      <dd>
        {colleagues.length > 0 ? (
          <select aria-labelledby="assigned" className="filter-select" value={assignee?.id ?? ''} onChange={(event) => onAssign(Number(event.target.value) || null)}>
            <option value="">No one</option>
            {/* A colleague who no longer can be. */}
            {assignee && !colleagues.some(({ id }) => id === assignee.id) && <option value={assignee.id}>{assignee.username}</option>}
            {colleagues.map(({ id, username }) => <option key={id} value={id}>{username}</option>)}
          </select>
        ) : <span>{assignee?.username}</span>}
      </dd>
    </div>
  );
}
