// Calendar dates are independent of the time zone.
import { afterEach, describe, expect, it, vi } from 'vitest';
import { addMonths, clockText, dateText, dayHeading, deadlineText, dayNumber, dayText, isOldBrowser, momentText, schoolDay, shortMomentText, today } from './dates.ts';
import { keptSummer, toronto, zone } from './test/data.ts';

afterEach(() => vi.unstubAllEnvs());

describe.each(['America/Toronto', 'Asia/Shanghai', 'UTC', 'Pacific/Kiritimati'])('in %s', (reader) => {
  it('shows a calendar date as it is', () => {
    vi.stubEnv('TZ', reader);
    expect(dateText('2026-09-08', '')).toBe('Sep 8, 2026');
    expect(dateText('2009-03-01', '')).toBe('Mar 1, 2009');
    expect(dateText('2026-01-01', '')).toBe('Jan 1, 2026');
  });

  it('shows an instant in the school’s time zone', () => {
    vi.stubEnv('TZ', reader);
    expect(dayText('2024-03-06T03:30:00Z', toronto, '')).toBe('March 5, 2024');
    expect(momentText('2024-03-05T19:30:00Z', toronto)).toBe('Mar 5, 2024, 2:30 PM');
    // New Year's Eve in Toronto, whose year counts.
    const now = new Date('2025-01-01T03:00:00Z');
    expect(shortMomentText('2024-03-05T19:30:00Z', toronto, now)).toBe('Mar 5, 2:30 PM');
    expect(shortMomentText('2025-01-01T06:00:00Z', toronto, now)).toBe('Jan 1, 2025');
    expect(shortMomentText('2023-03-05T19:30:00Z', toronto, now)).toBe('Mar 5, 2023');
  });

  it('groups by the school’s day, across a change of its clocks too', () => {
    vi.stubEnv('TZ', reader);
    const [place, now] = [toronto, new Date('2026-11-02T05:30:00Z')];
    const heading = (instant: string) => dayHeading(instant, place, now);
    expect(['2026-11-02T05:10:00Z', '2026-11-01T04:10:00Z', '2026-10-31T16:00:00Z', '2025-12-31T23:00:00Z'].map(heading))
      .toEqual(['Today', 'Yesterday', 'Saturday, October 31', 'December 31, 2025']);
    expect(clockText('2026-11-02T18:37:00Z', place)).toBe('1:37 PM');
  });

  it('names the zone of a deadline, and beside it the reader’s own time where it is another', () => {
    const until = '2026-11-25T04:59:00Z';
    expect(deadlineText(until, toronto, toronto)).toBe('Nov 24, 2026, 11:59 PM Toronto time');
    expect(deadlineText(until, toronto, zone('America/New_York'))).toBe('Nov 24, 2026, 11:59 PM Toronto time');
    expect(deadlineText(until, toronto, zone('Asia/Hong_Kong'))).toBe('Nov 24, 2026, 11:59 PM Toronto time (Nov 25, 2026, 12:59 PM your time)');
    expect(deadlineText(until, zone('America/St_Johns'), zone('America/St_Johns'))).toBe('Nov 25, 2026, 1:29 AM St Johns time');
    expect(deadlineText(until, zone('UTC'), zone('UTC'))).toBe('Nov 25, 2026, 4:59 AM UTC');
  });

  it('writes the school’s hours by the server’s rules where the browser’s are older', () => {
    vi.stubEnv('TZ', reader);
    const at = '2026-12-02T04:30:00Z';
    expect([momentText(at, keptSummer), clockText(at, keptSummer), dayText(at, keptSummer, '')]).toEqual(['Dec 2, 2026, 12:30 AM', '12:30 AM', 'December 2, 2026']);
    expect(schoolDay(keptSummer, new Date(at))).toBe('2026-12-02');
    expect(dayHeading(at, keptSummer, new Date('2026-12-03T04:10:00Z'))).toBe('Yesterday');
    // What the reader's own clock shows is not known then.
    expect(deadlineText(at, keptSummer, zone('Asia/Hong_Kong'))).toBe('Dec 2, 2026, 12:30 AM Toronto time');
    // Before the listed years the browser's rules count.
    expect(momentText('2024-03-05T19:30:00Z', keptSummer)).toBe('Mar 5, 2024, 2:30 PM');
    expect([isOldBrowser(keptSummer, at), isOldBrowser(keptSummer, '2026-07-01T00:00:00Z'), isOldBrowser(toronto, at)]).toEqual([true, false, false]);
  });

  it('adds months', () => {
    vi.stubEnv('TZ', reader);
    expect(addMonths('2026-11-21', 4)).toBe('2027-03-21');
    expect(addMonths('2026-10-31', 4)).toBe('2027-02-28');
    expect(addMonths('2027-10-31', 4)).toBe('2028-02-29');
    expect(addMonths('2026-08-31', 4)).toBe('2026-12-31');
  });
});

it.each([
  ['America/Toronto', '2026-11-20'],
  ['UTC', '2026-11-21'],
  ['Asia/Shanghai', '2026-11-21'],
])('today is the wall calendar’s day in %s', (zone, date) => {
  vi.stubEnv('TZ', zone);
  expect(today(new Date('2026-11-21T03:00:00Z'))).toBe(date);
});

it('counts days across a clock change, and knows no 30th of February', () => {
  expect((dayNumber('2026-03-09') ?? 0) - (dayNumber('2026-03-07') ?? 0)).toBe(2);
  expect((dayNumber('2026-11-02') ?? 0) - (dayNumber('2026-10-31') ?? 0)).toBe(2);
  for (const wrong of ['2026-02-30', '2026-13-01', '', '2026-9-8', '8 September']) expect(dayNumber(wrong)).toBeNull();
});

it('says so when there is no date', () => {
  expect(dateText(null, 'Not provided')).toBe('Not provided');
  expect(dateText('2026-02-30', 'Not provided')).toBe('Not provided');
  expect(dayText(undefined, zone('UTC'), 'Unknown date')).toBe('Unknown date');
  expect(dayText('gibberish', zone('UTC'), 'Unknown date')).toBe('Unknown date');
});
