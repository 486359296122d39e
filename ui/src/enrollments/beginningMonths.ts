// The months that the office looks for, with the semester that begins in each.
import type { Semester } from '../api-types.ts';
import { addMonths, dateText } from '../dates.ts';

/** The months in which an enrollment may begin that the office looks for, a year before this day and a year after it. */
export function beginningMonths(today: string, semesters: readonly Pick<Semester, 'name' | 'startDate'>[]): { value: string; label: string }[] {
  return Array.from({ length: 25 }, (_, index) => {
    const value = addMonths(`${today.slice(0, 7)}-01`, index - 12).slice(0, 7);
    const names = semesters.filter(({ startDate }) => startDate.startsWith(value)).map(({ name }) => name);
    return { value, label: [dateText(`${value}-01`, '').replace(/ 1,/, ''), ...names].join(' · ') };
  });
}
