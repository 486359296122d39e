// A school's midnight without waiting for it: the calendars of two zones 25 hours apart never show the same day.
import { run, catalogue, type FreshSchool, openSchool } from './school.ts';

const [west, east] = ['Pacific/Pago_Pago', 'Pacific/Kiritimati'] as const;
const zone = (name: string) => ({ SCHOOLHOUSE_SCHOOL_TIME_ZONE: name });
const today = (name: string) => new Intl.DateTimeFormat('en-CA', { timeZone: name }).format(new Date());

type Midnight = {
  /** Today at the school. */
  before: string;
  /** Today at the school once midnight has passed. */
  after: string;
  pass: () => Promise<void>;
};

/** A fresh school whose next midnight passes when the test says so. */
export function beforeMidnight(use: (school: FreshSchool, midnight: Midnight) => Promise<void>) {
  const [before, after] = [today(west), today(east)];
  return openSchool(
    (school) => use(school, { before, after, pass: () => school.restart(zone(east)) }),
    zone(west),
    (folder) => void run(['--data-dir', folder, 'import-courses', catalogue]),
  );
}

/** The same day so many years earlier. */
export function yearsBefore(date: string, years: number): string {
  const [year, month, day] = date.split('-');
  // February 29 is the 28th in other years.
  return `${Number(year) - years}-${month}-${month === '02' && day === '29' ? '28' : day}`;
}
