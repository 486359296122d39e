// The parts of a class: by section, or by start date.
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

type InSection = { section?: { id: number; label: string; termName: string | null } | null };

/** Each section with its number of students, after "all"; those with own dates are last. */
export function sectionOptions(members: readonly InSection[]): { value: string; label: string }[] {
  const parts = new Map<string, { name: string; count: number }>();
  for (const { section } of members) {
    const value = sectionValue({ section });
    const name = section ? [section.termName, `Section ${section.label}`].filter(Boolean).join(' · ') : 'Own dates';
    parts.set(value, { name, count: (parts.get(value)?.count ?? 0) + 1 });
  }
  const listed = [...parts].toSorted(([a], [b]) => Number(a === 'own') - Number(b === 'own') || Number(a) - Number(b));
  return [{ value: '', label: 'All sections' }, ...listed.map(([value, { name, count }]) => ({ value, label: `${name} (${count})` }))];
}

export const sectionValue = ({ section }: InSection) => (section ? String(section.id) : 'own');
