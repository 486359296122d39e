// Who of the office handles a message; hidden while there is no colleague to choose.
import { useQuery } from '@tanstack/react-query';
import type { ContactMessage } from '../api-types.ts';
import { assigneesQuery } from './queries.ts';

type AssigneeProps = { message: ContactMessage; mayAct: boolean; onAssign: (userId: number | null) => void };

export function Assignee({ message: { assignee, assigneeId }, mayAct, onAssign }: AssigneeProps) {
  const colleagues = useQuery({ ...assigneesQuery, enabled: mayAct }).data ?? [];
  if (!assignee && colleagues.length < 2) return null;
  return (
    <div>
      <dt id="assigned">Assigned to</dt>
      <dd>
        {colleagues.length > 0 ? (
          <select aria-labelledby="assigned" className="filter-select" value={assigneeId ?? ''} onChange={(event) => onAssign(Number(event.target.value) || null)}>
            <option value="">No one</option>
            {/* A colleague who may no longer read messages. */}
            {assigneeId !== null && !colleagues.some(({ id }) => id === assigneeId) && <option value={assigneeId}>{assignee}</option>}
            {colleagues.map(({ id, username }) => <option key={id} value={id}>{username}</option>)}
          </select>
        ) : <span>{assignee}</span>}
      </dd>
    </div>
  );
}
