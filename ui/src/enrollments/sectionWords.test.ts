import { expect, test } from 'vitest';
import { seatsWords, stateWords } from './sectionWords.ts';

const section = { kind: 'regular' as const, startsOn: '2027-02-01', joinUntil: '2027-02-15', seatsLeft: 4, isOpen: true };

test('late entry is said with its last day', () => {
  expect(stateWords(section, '2027-01-31', false)).toBe('');
  expect(stateWords(section, '2027-02-01', false)).toBe('');
  expect(stateWords(section, '2027-02-15', false)).toBe('Has begun on Feb 1, 2027: late entry until Feb 15, 2027, with help to catch up.');
  expect(stateWords({ ...section, isOpen: false }, '2027-02-16', false)).toBe('Late entry ended on Feb 15, 2027');
  expect(stateWords({ ...section, isOpen: false }, '2027-01-02', false)).toBe('Not accepting requests right now');
});

test('a full section and an upgrade are explained', () => {
  expect(stateWords({ ...section, seatsLeft: 0 }, '2027-01-31', false)).toBe('Full: your request goes on the waiting list.');
  expect(stateWords({ ...section, kind: 'upgrade' }, '2027-01-31', false)).toMatch(/^An upgrade is for students who completed the course/);
  expect(stateWords({ ...section, kind: 'upgrade' }, '2027-01-31', true)).toBe('');
});

test('seats are counted', () => {
  expect([4, 1, 0, null].map((seatsLeft) => seatsWords({ seatsLeft }))).toEqual(['4 seats left', '1 seat left', '', '']);
});
