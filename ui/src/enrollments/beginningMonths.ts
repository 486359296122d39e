// When the school's semesters begin, as a request's dates are filled from them. The rules are Ontario's
// school year: the day after Labour Day, the first Mondays of February and of May. There are the three that the
// specification names, each of the usual length.
import { addMonths, dateText, dayNumber } from '../dates.ts';
import { usualEnd } from './schema.ts';

export type Semester = { name: string; startDate: string; endDate: string };

/** A semester that began this many days ago still counts as the next one. */
const late_days = 14;

const pad = (value: number) => String(value).padStart(2, '0');

/** The first Monday of a month, and some days after it. */
function afterFirstMonday(year: number, month: number, days: number): string {
  const weekday = new Date(Date.UTC(year, month - 1, 1)).getUTCDay();
  return `${year}-${pad(month)}-${pad(1 + ((8 - weekday) % 7) + days)}`;
}

function ofYear(year: number): Semester[] {
  const starts = { Winter: afterFirstMonday(year, 2, 0), Spring: afterFirstMonday(year, 5, 0), Fall: afterFirstMonday(year, 9, 1) };
  return Object.entries(starts).map(([name, startDate]) => ({ name: `${name} ${year}`, startDate, endDate: usualEnd(startDate) ?? '' }));
}

/** The semesters that a request of this day may name, the next one first. `latest` is the last day to begin. */
export function semestersFrom(today: string, latest = addMonths(today, 12)): Semester[] {
  const now = dayNumber(today) ?? 0;
  const year = Number(today.slice(0, 4));
  return [year, year + 1, year + 2]
    .flatMap(ofYear)
    .filter(({ startDate }) => (dayNumber(startDate) ?? 0) >= now - late_days && startDate <= latest)
    .slice(0, 4);
}

/** The months in which an enrollment may begin that the office looks for, a year before this day and a year after it. */
export function beginningMonths(today: string): { value: string; label: string }[] {
  const semesters = [-1, 0, 1].flatMap((years) => ofYear(Number(today.slice(0, 4)) + years));
  return Array.from({ length: 25 }, (_, index) => {
    const value = addMonths(`${today.slice(0, 7)}-01`, index - 12).slice(0, 7);
    const semester = semesters.find(({ startDate }) => startDate.startsWith(value));
    return { value, label: `${dateText(`${value}-01`, '').replace(/ 1,/, '')}${semester ? ` · ${semester.name.split(' ')[0]}` : ''}` };
  });
}
