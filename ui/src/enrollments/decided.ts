// What became of a request that the office decided, and for how long that can be taken back.
import { ApiError } from '../api.ts';
import type { DecidedEnrollment, EnrollmentStatus, OfficeEnrollment } from '../api-types.ts';
import type { Decision } from '../components/useHeldRows.ts';

export type Decided = Decision<OfficeEnrollment>;

/** A decision of this screen; `elsewhere` where it had been made before. */
export function decidedHere({ status, isChanged, undo, decidedAt }: DecidedEnrollment, elsewhere: string): Decided {
  if (isChanged === false) return { status, words: elsewhere };
  return { status, words: null, undo: undo && decidedAt ? { ...undo, decidedAt } : null };
}

/** Somebody else was faster: the refusal has the enrollment as it is now. */
export function decidedElsewhere(error: Error): Decided | null {
  const current = error instanceof ApiError ? (error.current as { status?: EnrollmentStatus } | null) : null;
  return current?.status ? { status: current.status, words: 'Decided meanwhile' } : null;
}

/** How long a decision can be undone, from its answer on, in milliseconds: by the server's clock alone. */
export function timeToUndo_ms({ undo }: Decided): number {
  return undo ? Math.max(0, Date.parse(undo.until) - Date.parse(undo.decidedAt)) : 0;
}
