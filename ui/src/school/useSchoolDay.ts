// Today at the school, which the server goes by: a browser elsewhere may be a day ahead.
import { useSchool } from './queries.ts';

export function useSchoolDay(): string {
  const { timeZone } = useSchool();
  return schoolDay(timeZone, new Date());
}

/** The date of a moment, as YYYY-MM-DD. */
export function schoolDay(timeZone: string, at: Date): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(at);
}
