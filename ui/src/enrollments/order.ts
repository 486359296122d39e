// In which order a student reads their enrollments: what runs, what waits, what is over.
import type { Enrollment, EnrollmentStatus } from '../api-types.ts';
import { counts } from './earlier.ts';

export const orderOfStatus = {
  active: 0, pending: 1, waitlisted: 2, completed: 3, declined: 4, withdrawn: 4,
} satisfies Record<EnrollmentStatus, number>;

/** A place that waits for an answer stands before everything. */
const order = ({ status, offeredUntil }: Enrollment) => (status === 'waitlisted' && offeredUntil ? -1 : orderOfStatus[status]);

/** Courses that run come first, then requests, then what is over; within each, as the server sends them: newest first. */
export function inOrder(enrollments: readonly Enrollment[]): Enrollment[] {
  return enrollments.toSorted((one, other) => order(one) - order(other));
}

/** Those for the overview: requests that came to nothing only while there is nothing else. */
export function inOverview(enrollments: readonly Enrollment[], most: number): Enrollment[] {
  const open = enrollments.filter(counts);
  return inOrder(open.length > 0 ? open : enrollments).slice(0, most);
}
