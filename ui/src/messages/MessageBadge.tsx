// The status badge of a message; none for a read one.
import type { MessageStatus } from '../api-types.ts';
import { stateTones } from './message.ts';

export function MessageBadge({ status }: { status: MessageStatus }) {
  const tone = stateTones[status];
  return tone && <span className={`badge tone-${tone}`}>{status}</span>;
}
