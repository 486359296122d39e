// Rules of the request's dates (section 5, messages word for word) and their defaults.
import * as z from 'zod/mini';
import { addMonths, dayNumber } from '../dates.ts';

/** Section 9: the usual length of a course; a hint and a default, not a rule. */
const usual_months = 4;

const dates = {
  startDate: z.string().check(z.minLength(1, 'Start date is required')),
  endDate: z.string().check(z.minLength(1, 'End date is required')),
};

const inOrder = z.refine<EnrollmentDates>(endsAfterStart, { path: ['endDate'], message: 'End date must be after start date' });

export const enrollmentSchema = z.object(dates).check(inOrder);

export type EnrollmentDates = { startDate: string; endDate: string };

/** A request for own dates, and one by section, which has its dates. */
export const ownDatesSchema = z.object({ sectionId: z.string(), ...dates }).check(inOrder);
export const bySectionSchema = z.object({
  sectionId: z.string().check(z.minLength(1, 'Please choose one of the classes')),
  startDate: z.string(),
  endDate: z.string(),
});

/** True while a date is missing: another rule reports that. */
function endsAfterStart({ startDate, endDate }: EnrollmentDates): boolean {
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
