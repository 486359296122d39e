// What became of a request that the office decided, and for how long that can be taken back.
import { ApiError } from '../api.ts';
import type { DecidedEnrollment, EnrollmentStatus, OfficeEnrollment } from '../api-types.ts';
import type { Decision } from '../components/useHeldRows.ts';

export type Decided = Decision<OfficeEnrollment>;

/** A decision of this screen; `elsewhere` where it had been made before. */
export function decidedHere(answer: DecidedEnrollment, elsewhere: string): Decided {
  const { status, isChanged, undo, decidedAt, startDate, endDate, midtermMark, finalMark } = answer;
  if (isChanged === false) return { status, words: elsewhere };
  const now = { startDate, endDate, midtermMark, finalMark };
  return { status, words: null, now, undo: undo && decidedAt ? { ...undo, decidedAt } : null };
}

/** Somebody else was faster: the refusal has the enrollment as it is now. */
export function decidedElsewhere(error: Error): Decided | null {
  const current = error instanceof ApiError ? (error.current as { status?: EnrollmentStatus } | null) : null;
  return current?.status ? { status: current.status, words: 'Already decided' } : null;
}

/** How long a decision can be undone, from its answer on, in milliseconds: by the server's clock alone. */
export function timeToUndo_ms({ undo }: Decided): number {
  return undo ? Math.max(0, Date.parse(undo.until) - Date.parse(undo.decidedAt)) : 0;
}

/** Whether the row waits as before, only with other dates or another mark: nothing was decided. */
export function isAmendment(decided: Decided, { status }: Pick<OfficeEnrollment, 'status'>): boolean {
  return decided.status === status && !decided.words && !decided.undo;
}

/** "2 requests wait again, and no email about them was sent.": what an undo brought back. */
export function undoneWords(restored: readonly Pick<OfficeEnrollment, 'status'>[]): string {
  const [isOne, count] = [restored.length === 1, restored.length];
  const mail = `and no email about ${isOne ? 'it' : 'them'} was sent.`;
  if (!restored.every(({ status }) => status === 'pending')) return `All is as it was before, ${mail}`;
  return isOne ? `The request waits again, ${mail}` : `${count} requests wait again, ${mail}`;
}
