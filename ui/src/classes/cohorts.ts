// The beginnings of a class: which students of a course are in it together.
import { dateText } from '../dates.ts';

/** Each first day with how many begin on it, the latest first, after "all". */
export function termOptions(members: readonly { startDate: string }[]): { value: string; label: string }[] {
  const counts = new Map<string, number>();
  for (const { startDate } of members) counts.set(startDate, (counts.get(startDate) ?? 0) + 1);
  const days = [...counts].toSorted(([a], [b]) => b.localeCompare(a));
  return [
    { value: '', label: 'All start dates' },
    ...days.map(([day, count]) => ({ value: day, label: `${dateText(day, '')} (${count})` })),
  ];
}
