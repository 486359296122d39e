// The order of a student's enrollments: active, pending, ended.
import type { Enrollment, EnrollmentStatus } from '../api-types.ts';
import { counts } from './requestRules.ts';

export const orderOfStatus = {
  active: 0, pending: 1, waitlisted: 2, completed: 3, declined: 4, withdrawn: 4,
} satisfies Record<EnrollmentStatus, number>;

/** An offered place comes first. */
const order = ({ status, offeredUntil }: Enrollment) => (status === 'waitlisted' && offeredUntil ? -1 : orderOfStatus[status]);

/** Active courses first, then requests, then ended ones; each newest first. */
export function sortEnrollments(enrollments: readonly Enrollment[]): Enrollment[] {
  return enrollments.toSorted((one, other) => order(one) - order(other));
}

/** Enrollments for the overview: declined and withdrawn ones only if there are no others. */
export function inOverview(enrollments: readonly Enrollment[], most: number): Enrollment[] {
  const open = enrollments.filter(counts);
  return sortEnrollments(open.length > 0 ? open : enrollments).slice(0, most);
}
