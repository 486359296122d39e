// In which order a student reads their enrollments: what runs, what waits, what is over.
import type { Enrollment } from '../api-types.ts';
import { isOpen } from './earlier.ts';

const order = ['active', 'pending', 'waitlisted', 'completed'];

/** Courses that run come first, then requests, then what is over; within each, as the server sends them: newest first. */
export function inOrder(enrollments: readonly Enrollment[]): Enrollment[] {
  const rank = ({ status }: Enrollment) => (order.includes(status) ? order.indexOf(status) : order.length);
  return enrollments.toSorted((one, other) => rank(one) - rank(other));
}

/** Those for the overview: requests that came to nothing only while there is nothing else. */
export function inOverview(enrollments: readonly Enrollment[], most: number): Enrollment[] {
  const open = enrollments.filter(isOpen);
  return inOrder(open.length > 0 ? open : enrollments).slice(0, most);
}
