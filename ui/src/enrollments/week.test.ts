import { expect, test } from 'vitest';
import type { WeekClass } from '../api-types.ts';
import { keptSummer, zone } from '../test/data.ts';
import { daysOf, isOver, nextClass, timeText } from './week.ts';

const at = (date: string, startsAtUtc: string, rest: Partial<WeekClass> = {}): WeekClass => ({
  date, startsAt: '19:00', endsAt: '20:30', timeZone: 'America/Toronto', startsAtUtc, course: { code: 'MHF4U', name: 'Advanced Functions' },
  section: { label: 'A', teacherName: null }, link: null, isCancelled: false, ...rest,
});
const tuesday = at('2027-02-02', '2027-02-03T00:00:00Z');
const thursday = at('2027-02-04', '2027-02-05T00:00:00Z');

test('a class is on the reader’s own day and hour', () => {
  expect(timeText(tuesday, zone('Africa/Lagos'))).toBe('01:00–02:30');
  expect(daysOf([thursday, tuesday], zone('Africa/Lagos')).map(({ heading }) => heading)).toEqual(['Wednesday, February 3', 'Friday, February 5']);
  expect(daysOf([tuesday], zone('America/Toronto')).map(({ date, heading }) => [date, heading])).toEqual([['2027-02-02', 'Tuesday, February 2']]);
  expect(timeText(tuesday, zone('Pacific/Honolulu'))).toBe('14:00–15:30');
  expect(timeText(tuesday, zone('Asia/Shanghai'))).toBe('08:00–09:30');
});

test('after the clocks change the school’s evening stays, and the reader’s hour moves', () => {
  expect(timeText(at('2027-03-16', '2027-03-16T23:00:00Z'), zone('Africa/Lagos'))).toBe('00:00–01:30');
});

test('the school’s clock is the server’s, also where a browser’s rules are older', () => {
  // 19:00 in a winter without a change of the clocks.
  const evening = at('2027-02-02', '2027-02-02T23:00:00Z');
  expect(timeText(evening, keptSummer)).toBe('19:00–20:30');
  expect(daysOf([at('2027-02-03', '2027-02-03T04:30:00Z')], keptSummer).map(({ date, heading }) => [date, heading])).toEqual([['2027-02-03', 'Wednesday, February 3']]);
});

test('two classes of one day are together', () => {
  expect(daysOf([tuesday, at('2027-02-02', '2027-02-02T15:00:00Z')], zone('America/Toronto'))).toHaveLength(1);
});

test('the next class is the one that has not ended and takes place', () => {
  expect(nextClass([thursday, tuesday], Date.parse('2027-02-03T01:00:00Z'))).toBe(tuesday);
  expect(nextClass([thursday, tuesday], Date.parse('2027-02-03T01:30:00Z'))).toBe(thursday);
  expect(nextClass([{ ...tuesday, isCancelled: true }, thursday], Date.parse('2027-02-01T00:00:00Z'))).toBe(thursday);
  expect(nextClass([tuesday], Date.parse('2027-02-06T00:00:00Z'))).toBeUndefined();
});

test('a class is over from the minute in which it ends, not while it runs', () => {
  expect(isOver(tuesday, Date.parse('2027-02-03T01:29:59Z'))).toBe(false);
  expect(isOver(tuesday, Date.parse('2027-02-03T01:30:00Z'))).toBe(true);
});
