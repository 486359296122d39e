// Today's date in the school's time zone, as the server uses it.
import { useSchool } from './queries.ts';

export function useSchoolDay(): string {
  const { timeZone } = useSchool();
  return schoolDay(timeZone, new Date());
}

/** An instant's date as YYYY-MM-DD. */
export function schoolDay(timeZone: string, at: Date): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(at);
}
