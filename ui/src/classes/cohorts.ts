// The start dates of a class.
import { dateText } from '../dates.ts';

/** Each start date with its number of students, latest first, after "all". */
export function termOptions(members: readonly { startDate: string }[]): { value: string; label: string }[] {
  const counts = new Map<string, number>();
  for (const { startDate } of members) counts.set(startDate, (counts.get(startDate) ?? 0) + 1);
  const days = [...counts].toSorted(([a], [b]) => b.localeCompare(a));
  return [
    { value: '', label: 'All start dates' },
    ...days.map(([day, count]) => ({ value: day, label: `${dateText(day, '')} (${count})` })),
  ];
}
