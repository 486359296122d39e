// Which enrollment decides about the button of a course.
import { expect, it } from 'vitest';
import type { Enrollment } from '../api-types.ts';
import { earlierWords, enrollmentIn, isOpen } from './earlier.ts';

const course = { name: 'English', code: 'ENG4U', grade: 12, credits: 1 };
const enrollment = (id: number, courseId: number, status: string): Enrollment => ({
  id, courseId, course, status, startDate: '2026-09-08', endDate: '2027-01-22', requestedAt: '2026-09-01T12:00:00Z',
});

it.each([
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
  expect(enrollmentIn(list, 1)?.id).toBe(2);
  expect(enrollmentIn(list.filter(({ id }) => id !== 2), 1)?.id).toBe(4);
  expect(enrollmentIn(list, 9)).toBeUndefined();
});

it('says why it can be asked for again', () => {
  expect(earlierWords({ status: 'declined', reason: 'The winter class is full.' })).toBe(
    'Your earlier request was declined (“The winter class is full”). You may request the course again.',
  );
  expect(earlierWords({ status: 'declined', reason: null })).toBe('Your earlier request was declined. You may request the course again.');
  expect(earlierWords({ status: 'withdrawn' })).toMatch(/was withdrawn/);
});
