// Which enrollment decides about the button of a course.
import { expect, it } from 'vitest';
import type { Enrollment, EnrollmentStatus } from '../api-types.ts';
import { earlierWords, enrollmentIn, isOpen } from './earlier.ts';

const enrollment = (id: number, courseId: number, status: EnrollmentStatus, code = `AAA${courseId}U`): Enrollment => ({
  id, courseId, course: { name: 'English', code, grade: 12, credits: 1 }, status, startDate: '2026-09-08', endDate: '2027-01-22', requestedAt: '2026-09-01T12:00:00Z', version: 1,
});

it.each<[EnrollmentStatus, boolean]>([
  ['pending', true],
  ['waitlisted', true],
  ['active', true],
  ['completed', true],
  ['declined', false],
  ['withdrawn', false],
])('a %s enrollment stands in the way: %s', (status, expected) => {
  expect(isOpen({ status })).toBe(expected);
});

it('prefers the one that counts, then the latest', () => {
  const list = [enrollment(4, 1, 'withdrawn'), enrollment(3, 2, 'active'), enrollment(2, 1, 'active'), enrollment(1, 1, 'declined')];
  const first = { id: 1, code: 'AAA1U' };
  expect(enrollmentIn(list, first)?.id).toBe(2);
  expect(enrollmentIn(list.filter(({ id }) => id !== 2), first)?.id).toBe(4);
  expect(enrollmentIn(list, { id: 9, code: 'AAA9U' })).toBeUndefined();
});

it('knows a course by the five characters of its code, as the server does', () => {
  const upgrade = { id: 2, code: 'ENG4U-2' };
  const inFirst = (status: EnrollmentStatus) => enrollmentIn([enrollment(1, 1, status, 'ENG4U')], upgrade)?.status;
  expect((['pending', 'waitlisted', 'active', 'declined', 'withdrawn'] as const).map(inFirst)).toEqual([
    'pending', 'waitlisted', 'active', 'declined', 'withdrawn',
  ]);
  expect(inFirst('completed'), 'an upgrade course').toBeUndefined();
  expect(enrollmentIn([enrollment(1, 2, 'completed', 'ENG4U-2')], upgrade)?.status).toBe('completed');
  expect(enrollmentIn([enrollment(2, 1, 'completed', 'ENG4U'), enrollment(1, 2, 'withdrawn', 'ENG4U-2')], upgrade)?.id).toBe(1);
  expect(enrollmentIn([enrollment(1, 1, 'active', 'ENG4C')], upgrade)).toBeUndefined();
  expect(enrollmentIn([enrollment(1, 2, 'active', 'ENG4')], { id: 2, code: 'ENG4U' }), 'an older code').toBeUndefined();
});

it('says why it can be asked for again', () => {
  expect(earlierWords({ status: 'declined', reason: 'The winter class is full.' })).toBe(
    'Your earlier request was declined (“The winter class is full”). You may request the course again.',
  );
  expect(earlierWords({ status: 'declined', reason: null })).toBe('Your earlier request was declined. You may request the course again.');
  expect(earlierWords({ status: 'withdrawn' })).toMatch(/was withdrawn/);
});
