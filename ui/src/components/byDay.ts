// Rows of a list by the day on which they happened, newest first: a heading for each day.
import { dayHeading } from '../dates.ts';

export function byDay<Row>(timeZone: string, at: (row: Row) => string) {
  const key = (row: Row) => dayHeading(at(row), timeZone);
  return { key, heading: ([first]: readonly Row[]) => first && key(first) };
}
