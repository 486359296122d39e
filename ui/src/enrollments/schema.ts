// Rules of the request's dates (section 5, messages word for word) and their defaults.
import * as z from 'zod/mini';
import { addMonths, dayNumber } from '../dates.ts';

/** Section 9: the usual length of a course; a hint and a default, not a rule. */
const usual_months = 4;

export const enrollmentSchema = z
  .object({
    startDate: z.string().check(z.minLength(1, 'Start date is required')),
    endDate: z.string().check(z.minLength(1, 'End date is required')),
  })
  .check(z.refine(endsAfterStart, { path: ['endDate'], message: 'End date must be after start date' }));

export type EnrollmentDates = z.infer<typeof enrollmentSchema>;

/** True while a date is missing: another rule reports that. */
function endsAfterStart({ startDate, endDate }: { startDate: string; endDate: string }): boolean {
  const [start, end] = [dayNumber(startDate), dayNumber(endDate)];
  return start === null || end === null || end > start;
}

export function usualDates(start: string): EnrollmentDates {
  return { startDate: start, endDate: usualEnd(start) ?? '' };
}

/** The dates of a semester. */
export const datesOf = ({ startDate, endDate }: EnrollmentDates): EnrollmentDates => ({ startDate, endDate });

/** Four months after the start; null while the start is incomplete. */
export function usualEnd(start: string): string | null {
  return dayNumber(start) === null || start < '1900' ? null : addMonths(start, usual_months);
}
