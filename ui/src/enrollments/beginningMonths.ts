// Options of the start-month filter, with the semester of each month.
import type { Semester } from '../api-types.ts';
import { addMonths, dateText } from '../dates.ts';

/** Start months from a year before this day to a year after it. */
export function beginningMonths(today: string, semesters: readonly Pick<Semester, 'name' | 'startDate'>[]): { value: string; label: string }[] {
  return Array.from({ length: 25 }, (_, index) => {
    const value = addMonths(`${today.slice(0, 7)}-01`, index - 12).slice(0, 7);
    const names = semesters.filter(({ startDate }) => startDate.startsWith(value)).map(({ name }) => name);
    return { value, label: [dateText(`${value}-01`, '').replace(/ 1,/, ''), ...names].join(' · ') };
  });
}
