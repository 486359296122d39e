// Words of statuses, and figures.
import { expect, it } from 'vitest';
import type { Enrollment } from '../api-types.ts';
import { creditsText, daysText, repeatNote, stateWords } from './words.ts';

const enrollment: Enrollment = {
  id: 1,
  courseId: 2,
  course: { name: 'English, Grade 12', code: 'ENG4U', grade: 12, credits: 1, price: 549 },
  status: 'active',
  startDate: '2026-09-08',
  endDate: '2027-01-22',
  requestedAt: '2026-09-01T12:00:00Z',
  version: 1,
};

it.each<[Partial<Enrollment>, RegExp]>([
  [{ status: 'pending' }, /^The office has your request/],
  [{ status: 'waitlisted' }, /^The class is full on your dates at the moment\. You are on the waiting list/],
  [{ status: 'waitlisted', offeredUntil: '2026-11-25T04:59:59Z' }, /^The office keeps a free place in this class for you\.$/],
  [{ status: 'active', startDate: '2027-01-04' }, /approved.*starts on Jan 4, 2027\.$/],
  [{ status: 'active' }, /^You are enrolled, and the course is running\.$/],
  [{ status: 'active', endDate: '2026-11-21' }, /is running/],
  [{ status: 'active', endDate: '2026-11-20' }, /has ended/],
  [{ status: 'declined', reason: 'The winter class is full' }, /declined this request: The winter class is full\. You may/],
  [{ status: 'declined', reason: 'Sorry!' }, /: Sorry! You may/],
  [{ status: 'declined', reason: null }, /declined this request\. You may/],
  [{ status: 'withdrawn' }, /^This enrollment was withdrawn\. You may/],
  [{ status: 'withdrawn', reason: 'Moved abroad.' }, /withdrawn: Moved abroad\. You may/],
  [{ status: 'completed', finalMark: 87 }, /Final mark: 87%\.$/],
  [{ status: 'completed', finalMark: 50 }, /Final mark: 50%\.$/],
  [{ status: 'completed', finalMark: 49 }, /final mark of 49%, which earns no credit/],
  [{ status: 'completed', finalMark: 0 }, /final mark of 0%, which earns no credit/],
  [{ status: 'cancelled', reason: 'The teacher has left' }, /cancelled this class: The teacher has left\. You owe nothing/],
  [{ status: 'completed', finalMark: null }, /not recorded the final mark yet/],
])('explains %o', (facts, words) => {
  expect(stateWords({ ...enrollment, ...facts }, '2026-11-21')).toMatch(words);
});

it('says nothing of the only attempt at a course', () => {
  expect(repeatNote({})).toBeNull();
});

it.each<[Partial<Enrollment>, RegExp]>([
  [{ repeat: 'failed', repeatedMark: 41 }, /^A repeat: you completed this course before with 41%\./],
  [{ repeat: 'upgrade', repeatedMark: null }, /^A repeat: you completed this course before\./],
  [{ repeat: 'upgrade', repeatedMark: 62, betterAttempt: 7 }, /^Recorded as a repeat: another mark/],
])('says what %o is beside another attempt', (facts, words) => {
  expect(repeatNote(facts)).toMatch(words);
});

it.each([[1, '1'], [0.5, '0.5'], ['1.00', '1'], [0.25, '0.25'], [2, '2']])('writes %s credits as %s', (value, text) => {
  expect(creditsText(value)).toBe(text);
});

it('knows one day from many', () => {
  expect([0, 1, 2].map(daysText)).toEqual(['0 days', '1 day', '2 days']);
});
