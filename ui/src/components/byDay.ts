// Groups a list's rows by day, newest first.
import { dayHeading, type Zone } from '../dates.ts';

export function byDay<Row>(timeZone: Zone, at: (row: Row) => string) {
  const key = (row: Row) => dayHeading(at(row), timeZone);
  return { key, heading: ([first]: readonly Row[]) => first && key(first) };
}
