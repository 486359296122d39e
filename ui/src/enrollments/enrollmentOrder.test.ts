// The order of enrollments, and the overview's three.
import { expect, it } from 'vitest';
import type { Enrollment, EnrollmentStatus } from '../api-types.ts';
import { sortEnrollments, inOverview } from './enrollmentOrder.ts';

const course: Enrollment['course'] = { name: 'English', code: 'ENG4U', grade: 12, credits: 1 };
const enrollment = (id: number, status: EnrollmentStatus): Enrollment => ({ id, courseId: id, course, status, startDate: '2026-09-08', endDate: '2027-01-22', requestedAt: '2026-09-01T12:00:00Z', version: 1 });

it('puts what runs first, then requests, then what is over, each newest first', () => {
  const list = [
    enrollment(8, 'declined'), enrollment(7, 'completed'), enrollment(6, 'waitlisted'), enrollment(5, 'pending'),
    enrollment(4, 'active'), enrollment(3, 'withdrawn'), enrollment(2, 'active'), enrollment(1, 'pending'),
  ];
  expect(sortEnrollments(list).map(({ id }) => id)).toEqual([4, 2, 5, 1, 6, 7, 8, 3]);
});

it('puts a place that waits for an answer before everything', () => {
  const offered = { ...enrollment(1, 'waitlisted'), offeredUntil: '2026-11-25T04:59:59Z' };
  expect(sortEnrollments([enrollment(3, 'active'), enrollment(2, 'waitlisted'), offered]).map(({ id }) => id)).toEqual([1, 3, 2]);
});

it('shows in the overview what came to nothing only while there is nothing else', () => {
  const [active, declined, withdrawn] = [enrollment(1, 'active'), enrollment(2, 'declined'), enrollment(3, 'withdrawn')];
  expect(inOverview([declined, active, withdrawn], 3)).toEqual([active]);
  expect(inOverview([declined, withdrawn], 3)).toEqual([declined, withdrawn]);
  expect(inOverview([enrollment(4, 'pending'), enrollment(5, 'completed'), active], 2).map(({ id }) => id)).toEqual([1, 4]);
});
