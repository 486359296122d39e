import { expect, test } from 'vitest';
import { copiedDates, daysOffText, nextYear, readDaysOff, runsOf, runText } from './daysOff.ts';

test('days off are read as people type and paste them', () => {
  expect(readDaysOff('2026-12-21 to 2026-12-23\nFebruary 15, 2027; 26 Mar 2027').dates).toEqual(['2026-12-21', '2026-12-22', '2026-12-23', '2027-02-15', '2027-03-26']);
  expect(readDaysOff('2027-02-15, 2027-02-15').dates).toEqual(['2027-02-15']);
  expect(readDaysOff('Dec 31, 2026 – Jan 1, 2027').dates).toEqual(['2026-12-31', '2027-01-01']);
  expect(readDaysOff('')).toEqual({ dates: [], unread: [] });
});

test('what is no date is named', () => {
  expect(readDaysOff('2027-02-30\nFamily Day').unread).toEqual(['2027-02-30', 'Family Day']);
  // Backwards, and a wrong year.
  expect(readDaysOff('2027-02-15 to 2027-02-10').unread).toEqual(['2027-02-15 to 2027-02-10']);
  expect(readDaysOff('2027-02-15 to 2028-02-16').unread).toHaveLength(1);
});

test('days in a row are shown as one line, which is read again', () => {
  const dates = ['2026-12-21', '2026-12-22', '2026-12-23', '2027-02-15'];
  expect(daysOffText(dates)).toBe('2026-12-21 to 2026-12-23\n2027-02-15');
  expect(readDaysOff(daysOffText(dates)).dates).toEqual(dates);
});

test('a copy begins on the same weekday a year later', () => {
  expect(nextYear({ name: 'Fall 2026', startsOn: '2026-09-08' })).toEqual({ name: 'Fall 2027', startsOn: '2027-09-07' });
  expect(nextYear({ name: 'Winter', startsOn: '2027-02-01' })).toEqual({ name: 'Winter', startsOn: '2028-01-31' });
  expect(nextYear({ name: '2027/2028', startsOn: '2024-02-29' }).name).toBe('2028/2029');
});

test('dates move by the difference of the starts, and days off by whole weeks', () => {
  const term = { startsOn: '2026-09-08', endsOn: '2026-12-18', joinUntil: '2026-09-22', daysOff: ['2026-10-12'] };
  expect(copiedDates(term, '2027-09-07')).toEqual({ startsOn: '2027-09-07', endsOn: '2027-12-17', joinUntil: '2027-09-21', daysOff: ['2027-10-11'] });
  // From a Tuesday to a Wednesday: Thanksgiving stays a Monday.
  expect(copiedDates(term, '2027-09-08')).toMatchObject({ endsOn: '2027-12-18', daysOff: ['2027-10-11'] });
});

test('a day off has its weekday, and several in a row their number', () => {
  expect(runsOf(['2026-12-24', '2026-12-25', '2027-02-15']).map(runText)).toEqual(['Thu, Dec 24, 2026 – Fri, Dec 25, 2026 (2 days)', 'Mon, Feb 15, 2027']);
});
