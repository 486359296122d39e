// Results of office decisions, and how long they can be undone.
import { ApiError } from '../api.ts';
import type { DecidedEnrollment, EnrollmentStatus, OfficeEnrollment } from '../api-types.ts';
import type { Decision } from '../components/useStableRows.ts';

export type Decided = Decision<OfficeEnrollment>;

/** A decision made here; `elsewhere` if it had been made before. */
export function decidedHere(answer: DecidedEnrollment, elsewhere: string): Decided {
  const { status, isChanged, missing, undo, decidedAt, startDate, endDate, midtermMark, finalMark } = answer;
  if (isChanged === false) return { status, words: elsewhere };
  const now = { startDate, endDate, midtermMark, finalMark };
  return { status, words: missing?.includes('guardian') ? 'The guardian is asked again' : null, now, undo: undo && decidedAt ? { ...undo, decidedAt } : null };
}

/** A colleague decided first: the conflict response has the current enrollment. */
export function decidedElsewhere(error: Error): Decided | null {
  const current = error instanceof ApiError ? (error.current as { status?: EnrollmentStatus } | null) : null;
  return current?.status ? { status: current.status, words: 'Already decided' } : null;
}

/** Milliseconds from the response in which a decision can be undone, by the server's clock. */
export function timeToUndo_ms({ undo }: Decided): number {
  return undo ? Math.max(0, Date.parse(undo.until) - Date.parse(undo.decidedAt)) : 0;
}

/** Whether only dates or a mark changed and the row is still undecided. */
export function isAmendment(decided: Decided, { status }: Pick<OfficeEnrollment, 'status'>): boolean {
  return decided.status === status && !decided.words && !decided.undo;
}

/** The message after an undo: "2 requests wait again, and no email about them was sent." */
export function undoneWords(restored: readonly { status: string }[]): string {
  const [isOne, count] = [restored.length === 1, restored.length];
  const mail = `and no email about ${isOne ? 'it' : 'them'} was sent.`;
  if (!restored.every(({ status }) => status === 'pending')) return `All is as it was before, ${mail}`;
  return isOne ? `The request waits again, ${mail}` : `${count} requests wait again, ${mail}`;
}
