// The order of a student's enrollments: active, pending, ended.
import type { Enrollment, EnrollmentStatus } from '../api-types.ts';
import { counts } from './requestRules.ts';

export const orderOfStatus = {
  active: 0, cancelled: 1, pending: 2, waitlisted: 3, completed: 4, declined: 5, withdrawn: 5,
} satisfies Record<EnrollmentStatus, number>;

/** An offered place comes first. */
const order = ({ status, offeredUntil }: Enrollment) => (status === 'waitlisted' && offeredUntil ? -1 : orderOfStatus[status]);

/** Active courses first, then those of cancelled classes, requests and ended ones; each newest first. */
export function sortEnrollments(enrollments: readonly Enrollment[]): Enrollment[] {
  return enrollments.toSorted((one, other) => order(one) - order(other));
}

/** Enrollments for the overview: declined and withdrawn ones only if there are no others; one of a cancelled class needs another. */
export function inOverview(enrollments: readonly Enrollment[], most: number): Enrollment[] {
  const open = enrollments.filter((one) => counts(one) || one.status === 'cancelled');
  return sortEnrollments(open.length > 0 ? open : enrollments).slice(0, most);
}
