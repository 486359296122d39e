// Whether a course can be requested, given what became of earlier requests for it: one that came
// to nothing may be sent again, a completed course repeated.
import type { Enrollment } from '../api-types.ts';

/** True while an enrollment stands in the way of another one in the same course. */
export function isOpen(enrollment: Pick<Enrollment, 'status'>): boolean {
  return enrollment.status === 'active' || waits(enrollment);
}

/** False for what came to nothing. */
export function counts({ status }: Pick<Enrollment, 'status'>): boolean {
  return status !== 'declined' && status !== 'withdrawn';
}

/** True while nobody has approved it: it may be taken back, and is no running course. */
export function waits({ status }: Pick<Enrollment, 'status'>): boolean {
  return status === 'pending' || status === 'waitlisted';
}

/** A course is its code: the first five characters, whatever row of the catalogue has them. */
export const code_characters = 5;
