// Whether a course can be requested, given earlier enrollments: declined and withdrawn requests can be sent again,
// completed courses repeated.
import type { Enrollment } from '../api-types.ts';

/** Whether an enrollment blocks another one in the same course. */
export function isOpen(enrollment: Pick<Enrollment, 'status'>): boolean {
  return enrollment.status === 'active' || isPendingRequest(enrollment);
}

/** False for declined and withdrawn requests, and for courses whose class the school cancelled. */
export function counts({ status }: Pick<Enrollment, 'status'>): boolean {
  return status !== 'declined' && status !== 'withdrawn' && status !== 'cancelled';
}

/** True until it is approved: the student can withdraw it. */
export function isPendingRequest({ status }: Pick<Enrollment, 'status'>): boolean {
  return status === 'pending' || status === 'waitlisted';
}

/** Courses are the same if the first five characters of their codes are equal. */
export const code_characters = 5;
