// A section with its hours at the school, and below them where the reader is.
import { usePartLater } from '../components/usePartLater.ts';
import type { Meeting, NamedSection } from '../meetings.ts';
import { useSchool } from '../school/queries.ts';

type SectionHoursProps = { section: NamedSection & { meetings: readonly Meeting[] }; startsOn: string; endsOn: string };

export function SectionHours({ section, ...dates }: SectionHoursProps) {
  const { timeZone } = useSchool();
  // Most visits show no section.
  const part = usePartLater(() => import('../meetings.ts'), true);
  if (!part) return null;
  const timed = { meetings: section.meetings, timeZone, ...dates };
  return (
    <>
      <strong>{part.sectionText(section)}</strong>
      <span>{` ${part.whenText(timed)}${section.meetings.length > 0 ? ` ${part.placeOf(timeZone.name)}` : ''}`}</span>
      <small>{` ${part.readersHours(timed)}`}</small>
    </>
  );
}
