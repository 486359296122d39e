// The enrollment that determines a course's button.
import { expect, it } from 'vitest';
import type { Enrollment, EnrollmentStatus } from '../api-types.ts';
import { earlierWords, enrollmentIn, repeatWords } from './earlierEnrollments.ts';
import { isOpen } from './requestRules.ts';

const enrollment = (id: number, courseId: number, status: EnrollmentStatus, code = `AAA${courseId}U`): Enrollment => ({
  id, courseId, course: { name: 'English', code, grade: 12, credits: 1 }, status, startDate: '2026-09-08', endDate: '2027-01-22', requestedAt: '2026-09-01T12:00:00Z', version: 1,
});

it.each<[EnrollmentStatus, boolean]>([
  ['pending', true],
  ['waitlisted', true],
  ['active', true],
  ['completed', false],
  ['declined', false],
  ['withdrawn', false],
])('a %s enrollment stands in the way: %s', (status, expected) => {
  expect(isOpen({ status })).toBe(expected);
});

it('prefers the one that counts, then the latest', () => {
  const list = [enrollment(4, 1, 'withdrawn'), enrollment(3, 2, 'active'), enrollment(2, 1, 'active'), enrollment(1, 1, 'declined')];
  const first = { code: 'AAA1U' };
  expect(enrollmentIn(list, first)?.id).toBe(2);
  expect(enrollmentIn(list.filter(({ id }) => id !== 2), first)?.id).toBe(4);
  expect(enrollmentIn(list, { code: 'AAA9U' })).toBeUndefined();
});

it('knows a course by the five characters of its code, as the server does', () => {
  const upgrade = { code: 'ENG4U-2' };
  const inFirst = (status: EnrollmentStatus) => enrollmentIn([enrollment(1, 1, status, 'ENG4U')], upgrade)?.status;
  expect((['pending', 'waitlisted', 'active', 'declined', 'withdrawn'] as const).map(inFirst)).toEqual([
    'pending', 'waitlisted', 'active', 'declined', 'withdrawn',
  ]);
  expect(inFirst('completed'), 'an upgrade course').toBe('completed');
  expect(enrollmentIn([enrollment(1, 2, 'completed', 'ENG4U-2')], upgrade)?.status).toBe('completed');
  expect(enrollmentIn([enrollment(2, 1, 'completed', 'ENG4U'), enrollment(1, 2, 'withdrawn', 'ENG4U-2')], upgrade)?.id).toBe(2);
  expect(enrollmentIn([enrollment(1, 1, 'active', 'ENG4C')], upgrade)).toBeUndefined();
  expect(enrollmentIn([enrollment(1, 2, 'active', 'ENG4')], { code: 'ENG4U' }), 'an older code').toBeUndefined();
});

it('takes the best of what was completed, but for what is open', () => {
  const attempts = [
    enrollment(4, 1, 'withdrawn', 'ENG4U'), { ...enrollment(3, 1, 'completed', 'ENG4U'), betterAttempt: 2 }, enrollment(2, 1, 'completed', 'ENG4U'),
  ];
  expect(enrollmentIn(attempts, { code: 'ENG4U' })?.id).toBe(2);
  expect(enrollmentIn([...attempts, enrollment(1, 1, 'pending', 'ENG4U')], { code: 'ENG4U' })?.id).toBe(1);
});

it('says what a repeat means', () => {
  expect(repeatWords({ finalMark: 41, earnedCredits: 0 })).toMatch(/^You completed this course with 41%\. You may repeat it\. .*the better mark earns the credit, once/);
  expect(repeatWords({ finalMark: 62, earnedCredits: 1 })).toMatch(/for a better mark, which the office confirms/);
  expect(earlierWords({ status: 'completed', finalMark: null, earnedCredits: null })).toMatch(/^You completed this course\. /);
});

it('says why it can be asked for again', () => {
  expect(earlierWords({ status: 'declined', reason: 'The winter class is full.' })).toBe(
    'Your earlier request was declined (“The winter class is full”). You may request the course again.',
  );
  expect(earlierWords({ status: 'declined', reason: null })).toBe('Your earlier request was declined. You may request the course again.');
  expect(earlierWords({ status: 'withdrawn' })).toMatch(/was withdrawn/);
});
