// Progress and days remaining (section 4), counted in calendar days, independent of time zones and clock changes.
import type { EnrollmentStatus } from '../api-types.ts';
import { dayNumber } from '../dates.ts';

type Dates = { startDate: string; endDate: string; status?: EnrollmentStatus };

/** Percent: 0 before the start, 100 at or after the end and once it is completed, otherwise rounded. */
export function progress({ startDate, endDate, status }: Dates, today: string): number {
  if (status === 'completed') return 100;
  const [start, end, now] = [dayNumber(startDate), dayNumber(endDate), dayNumber(today)];
  if (start === null || end === null || now === null || now < start) return 0;
  if (now >= end) return 100;
  return Math.round(((now - start) / (end - start)) * 100);
}

/** Days from today to the end; 0 once the end has passed. */
export function daysRemaining({ endDate }: Pick<Dates, 'endDate'>, today: string): number {
  const [end, now] = [dayNumber(endDate), dayNumber(today)];
  return end === null || now === null ? 0 : Math.max(0, end - now);
}
