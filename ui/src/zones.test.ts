// What readers in other time zones read: hours, weekdays and dates, by the zone of their browser.
import { afterEach, expect, test, vi } from 'vitest';
import { dateText, deadlineText, readersZone, schoolDay, today } from './dates.ts';
import { daysOf, timeText } from './enrollments/week.ts';
import { type Meeting, readersHours } from './meetings.ts';
import { toronto } from './test/data.ts';

const at = (weekday: number, startsAt: string, endsAt: string): Meeting => ({ weekday, startsAt, endsAt });
/** Before and after Toronto's clocks change on March 14. */
const dates = { startsOn: '2027-03-01', endsOn: '2027-03-31', timeZone: toronto };

afterEach(() => vi.unstubAllEnvs());

/** Hours of a section on Tuesday evenings, of one on Monday mornings, and of one on Sunday nights. */
const hours = {
  'America/Toronto': ['', '', ''],
  'Africa/Lagos': [
    'Wed 01:00–02:30 your time; from Mar 17, 2027: Wed 00:00–01:30',
    '15:00–16:15 your time; from Mar 15, 2027: 14:00–15:15',
    'Mon 05:00–06:00 your time; from Mar 15, 2027: Mon 04:00–05:00',
  ],
  'Asia/Shanghai': [
    'Wed 08:00–09:30 your time; from Mar 17, 2027: Wed 07:00–08:30',
    '22:00–23:15 your time; from Mar 15, 2027: 21:00–22:15',
    'Mon 12:00–13:00 your time; from Mar 15, 2027: Mon 11:00–12:00',
  ],
  'Pacific/Honolulu': [
    '14:00–15:30 your time; from Mar 16, 2027: 13:00–14:30',
    '04:00–05:15 your time; from Mar 15, 2027: 03:00–04:15',
    '18:00–19:00 your time; from Mar 14, 2027: 17:00–18:00',
  ],
};
const zones = Object.keys(hours) as (keyof typeof hours)[];

test.each(zones)('in %s the hours of a section are those of the reader’s clock', (zone) => {
  vi.stubEnv('TZ', zone);
  expect(readersZone(toronto).name).toBe(zone);
  const read = (meeting: Meeting) => readersHours({ ...dates, meetings: [meeting] }, undefined, '2027-02-20');
  expect([at(2, '19:00', '20:30'), at(1, '09:00', '10:15'), at(7, '23:00', '24:00')].map(read)).toEqual(hours[zone]);
});

/** The days and hours of the evenings before and after the change. */
const week = {
  'America/Toronto': ['Tuesday, March 9 19:00–20:30', 'Tuesday, March 16 19:00–20:30'],
  'Africa/Lagos': ['Wednesday, March 10 01:00–02:30', 'Wednesday, March 17 00:00–01:30'],
  'Asia/Shanghai': ['Wednesday, March 10 08:00–09:30', 'Wednesday, March 17 07:00–08:30'],
  'Pacific/Honolulu': ['Tuesday, March 9 14:00–15:30', 'Tuesday, March 16 13:00–14:30'],
};

test.each(zones)('in %s a week has the reader’s days', (zone) => {
  vi.stubEnv('TZ', zone);
  const classes = [['2027-03-09', '2027-03-10T00:00:00Z'], ['2027-03-16', '2027-03-16T23:00:00Z']].map(([date = '', startsAtUtc = '']) => ({
    date, startsAtUtc, startsAt: '19:00', endsAt: '20:30', timeZone: toronto.name, link: null, isCancelled: false,
    course: { code: 'MHF4U', name: 'Advanced Functions' }, section: { label: 'A', teacherName: null },
  }));
  const read = daysOf(classes, readersZone(toronto)).flatMap((day) => day.classes.map((one) => `${day.heading} ${timeText(one, readersZone(toronto))}`));
  expect(read).toEqual(week[zone]);
});

/** An hour before the last day to join ends in Toronto: the reader's date and clock. */
const lastHour = {
  'America/Toronto': ['2027-01-18', 'Jan 18, 2027, 11:00 PM Toronto time'],
  'Africa/Lagos': ['2027-01-19', 'Jan 18, 2027, 11:00 PM Toronto time (Jan 19, 2027, 5:00 AM your time)'],
  'Asia/Shanghai': ['2027-01-19', 'Jan 18, 2027, 11:00 PM Toronto time (Jan 19, 2027, 12:00 PM your time)'],
  'Pacific/Honolulu': ['2027-01-18', 'Jan 18, 2027, 11:00 PM Toronto time (Jan 18, 2027, 6:00 PM your time)'],
};

test.each(zones)('in %s the school’s last day to join is the school’s', (zone) => {
  vi.stubEnv('TZ', zone);
  const now = new Date('2027-01-19T04:00:00Z');
  expect([today(now), deadlineText(now.toISOString(), toronto)]).toEqual(lastHour[zone]);
  expect(schoolDay(toronto, now)).toBe('2027-01-18');
  expect(schoolDay(toronto, new Date('2027-01-19T05:00:00Z'))).toBe('2027-01-19');
  expect(dateText('2027-01-18', '')).toBe('Jan 18, 2027');
});
