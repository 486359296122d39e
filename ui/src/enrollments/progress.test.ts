// Progress and days remaining are independent of time zones and clock changes.
import { afterEach, describe, expect, it, vi } from 'vitest';
import { today } from '../dates.ts';
import { daysRemaining, progress } from './progress.ts';

afterEach(() => vi.unstubAllEnvs());

const fall = { startDate: '2026-09-08', endDate: '2027-01-22' };
const overMarchChange = { startDate: '2026-03-07', endDate: '2026-03-09' };
const overNovemberChange = { startDate: '2026-10-31', endDate: '2026-11-02' };
const leapYear = { startDate: '2028-02-01', endDate: '2028-03-01' };

const table = [
  ['long before the start', fall, '2020-01-01', 0, 2578],
  ['the day before the start', fall, '2026-09-07', 0, 137],
  ['the first day', fall, '2026-09-08', 0, 136],
  ['the second day', fall, '2026-09-09', 1, 135],
  ['half way', fall, '2026-11-15', 50, 68],
  ['past the middle', fall, '2026-11-21', 54, 62],
  ['the day before the end', fall, '2027-01-21', 99, 1],
  ['the last day', fall, '2027-01-22', 100, 0],
  ['after the end', fall, '2027-01-23', 100, 0],
  ['years after the end', fall, '2036-01-01', 100, 0],
  ['the day clocks go forward', overMarchChange, '2026-03-08', 50, 1],
  ['the day clocks go back', overNovemberChange, '2026-11-01', 50, 1],
  ['the 29th of February', leapYear, '2028-02-29', 97, 1],
  ['one day of one day', { startDate: '2026-09-08', endDate: '2026-09-09' }, '2026-09-08', 0, 1],
  ['dates that are none', { startDate: '2026-02-30', endDate: 'soon' }, '2026-03-01', 0, 0],
] as const;

describe.each(['America/Toronto', 'Asia/Shanghai', 'UTC', 'Pacific/Kiritimati'])('in %s', (zone) => {
  it.each(table)('%s', (_, dates, day, percent, days) => {
    vi.stubEnv('TZ', zone);
    expect(progress(dates, day)).toBe(percent);
    expect(daysRemaining(dates, day)).toBe(days);
  });
});

it('counts from the browser’s calendar', () => {
  const lateEvening = new Date('2027-01-22T03:30:00Z');
  vi.stubEnv('TZ', 'America/Toronto');
  expect(daysRemaining(fall, today(lateEvening))).toBe(1);
  vi.stubEnv('TZ', 'Asia/Shanghai');
  expect(daysRemaining(fall, today(lateEvening))).toBe(0);
});
