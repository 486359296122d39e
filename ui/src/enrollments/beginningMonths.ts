// The months that the office looks for, with the semester that begins in each.
import { addMonths, dateText } from '../dates.ts';

/** By the month in which they begin (`src/school/semesters.rs`). */
const seasons: { [month: string]: string } = { '02': 'Winter', '05': 'Spring', '09': 'Fall' };

/** The months in which an enrollment may begin that the office looks for, a year before this day and a year after it. */
export function beginningMonths(today: string): { value: string; label: string }[] {
  return Array.from({ length: 25 }, (_, index) => {
    const value = addMonths(`${today.slice(0, 7)}-01`, index - 12).slice(0, 7);
    const season = seasons[value.slice(5)];
    return { value, label: `${dateText(`${value}-01`, '').replace(/ 1,/, '')}${season ? ` · ${season}` : ''}` };
  });
}
