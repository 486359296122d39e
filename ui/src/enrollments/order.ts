// In which order a student reads their enrollments: what runs, what waits, what is over.
import type { Enrollment } from '../api-types.ts';

const order = ['active', 'pending', 'waitlisted', 'completed'];

/** Courses that run come first, then requests, then what is over; within each, as the server sends them: newest first. */
export function inOrder(enrollments: readonly Enrollment[]): Enrollment[] {
  const rank = ({ status }: Enrollment) => (order.includes(status) ? order.indexOf(status) : order.length);
  return enrollments.toSorted((one, other) => rank(one) - rank(other));
}
