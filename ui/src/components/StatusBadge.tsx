// The status badge of an enrollment, with its raw value (section 2). Section 4: active is green,
// pending yellow, completed blue, anything else red.
import type { EnrollmentStatus } from '../api-types.ts';
import type { Tone } from '../closedSets.ts';

export const statusTones = {
  active: 'green',
  pending: 'yellow',
  completed: 'blue',
  waitlisted: 'red',
  declined: 'red',
  withdrawn: 'red',
  cancelled: 'red',
} satisfies Record<EnrollmentStatus, Tone>;

export function StatusBadge({ status }: { status: EnrollmentStatus }) {
  // A server that is newer than this page may have another word.
  const tone: Tone | undefined = statusTones[status];
  return <span className={`badge tone-${tone ?? 'red'}`}>{status === 'cancelled' ? 'cancelled by the school' : status}</span>;
}
