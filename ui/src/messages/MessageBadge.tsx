// Where a message stands; one that was read and waits for nothing more says nothing.
import { stateTones } from './message.ts';

export function MessageBadge({ status }: { status: string }) {
  return status !== 'open' && <span className={`badge badge-${stateTones.get(status) ?? 'red'}`}>{status}</span>;
}
