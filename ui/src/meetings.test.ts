import { expect, test } from 'vitest';
import { hoursText, type Meeting, ownHours, ownHoursText } from './meetings.ts';
import { keptSummer, toronto, zone } from './test/data.ts';

const evening: Meeting[] = [
  { weekday: 2, startsAt: '19:00', endsAt: '20:30' },
  { weekday: 4, startsAt: '19:00', endsAt: '20:30' },
];
const winter = { startsOn: '2027-02-01', endsOn: '2027-06-18' };

const read = (meetings: Meeting[], dates: typeof winter, own: string, today = '2026-11-26', school = toronto) =>
  ownHoursText(ownHours(meetings, dates, school, zone(own), today), meetings);

test('hours of a week, with equal ones together', () => {
  expect(hoursText(evening)).toBe('Tue and Thu 19:00–20:30');
  expect(hoursText([...evening, { weekday: 6, startsAt: '10:00', endsAt: '11:00' }])).toBe('Tue and Thu 19:00–20:30; Sat 10:00–11:00');
  expect(hoursText([5, 1, 3].map((weekday) => ({ weekday, startsAt: '09:00', endsAt: '10:00' })))).toBe('Mon, Wed and Fri 09:00–10:00');
  expect(hoursText([])).toBe('');
});

test('a reader in the school’s zone reads the hours once', () => {
  expect(read(evening, winter, toronto.name)).toBe('');
  // Another name of the same clock.
  expect(read(evening, winter, 'America/New_York')).toBe('');
});

test('in Lagos the evening is the next day, and an hour earlier after Toronto’s change in March', () => {
  expect(ownHours(evening, winter, toronto, zone('Africa/Lagos'), '2026-11-26')).toEqual([
    { from: null, text: 'Wed and Fri 01:00–02:30' },
    { from: '2027-03-17', text: 'Wed and Fri 00:00–01:30' },
  ]);
  expect(read(evening, winter, 'Africa/Lagos')).toBe('Wed and Fri 01:00–02:30 your time; from Mar 17, 2027: Wed and Fri 00:00–01:30');
});

test('an old browser gives no hours of the reader’s, which may be wrong too', () => {
  expect(read(evening, winter, 'Africa/Lagos', undefined, keptSummer)).toBe('');
});

test('after the change only the hours from then on are said', () => {
  expect(read(evening, winter, 'Africa/Lagos', '2027-03-15')).toBe('Wed and Fri 00:00–01:30 your time');
});

test('in Shanghai it is the next morning', () => {
  expect(read(evening, { startsOn: '2027-04-01', endsOn: '2027-06-18' }, 'Asia/Shanghai')).toBe('Wed and Fri 07:00–08:30 your time');
});

test('in Honolulu it is the same day, so that the weekdays are not repeated', () => {
  expect(read(evening, winter, 'Pacific/Honolulu')).toBe('14:00–15:30 your time; from Mar 16, 2027: 13:00–14:30');
});

test('a Monday morning in Toronto is a Sunday in Honolulu', () => {
  const early = [{ weekday: 1, startsAt: '04:30', endsAt: '05:30' }];
  expect(read(early, { startsOn: '2027-02-01', endsOn: '2027-02-28' }, 'Pacific/Honolulu')).toBe('Sun 23:30–00:30 your time');
});

test('two clocks that change on different days have their weeks in between', () => {
  expect(read(evening, winter, 'Europe/London')).toBe(
    'Wed and Fri 00:00–01:30 your time; from Mar 16, 2027: Tue and Thu 23:00–00:30; from Mar 31, 2027: Wed and Fri 00:00–01:30',
  );
});

test('a zone of half hours, and the change in November', () => {
  expect(read(evening, { startsOn: '2026-09-08', endsOn: '2026-12-18' }, 'Asia/Kolkata', '2026-10-01')).toBe(
    'Wed and Fri 04:30–06:00 your time; from Nov 4, 2026: Wed and Fri 05:30–07:00',
  );
});

test('a section that has ended, or has no meetings, says nothing', () => {
  expect(read(evening, winter, 'Africa/Lagos', '2027-07-01')).toBe('');
  expect(read([], winter, 'Africa/Lagos')).toBe('');
});
