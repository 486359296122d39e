// Words about a section that a student may ask for, and the one to begin with.
import type { OfferedSection } from '../api-types.ts';
import { dateText } from '../dates.ts';

/** "4 seats left"; empty without a limit, or while the school does not say. */
export function seatsWords({ seatsLeft }: Pick<OfferedSection, 'seatsLeft'>): string {
  if (seatsLeft === null || seatsLeft === 0) return '';
  return seatsLeft === 1 ? '1 seat left' : `${seatsLeft} seats left`;
}

/** What is special about asking for a section on a day; empty for the usual case. */
export function stateWords(section: Pick<OfferedSection, 'kind' | 'startsOn' | 'joinUntil' | 'seatsLeft' | 'isOpen'>, day: string, hasCompleted: boolean): string {
  const { kind, startsOn, joinUntil, seatsLeft, isOpen } = section;
  if (!isOpen) return joinUntil < day ? `Late entry ended on ${dateText(joinUntil, '')}` : 'Not accepting requests right now';
  return [
    kind === 'upgrade' && !hasCompleted && 'An upgrade is for students who completed the course, here or at another school. If you did elsewhere, the office needs your transcript.',
    startsOn < day && `Has begun on ${dateText(startsOn, '')}: late entry until ${dateText(joinUntil, '')}, with help to catch up.`,
    seatsLeft === 0 && 'Full: your request goes on the waiting list.',
  ].filter(Boolean).join(' ');
}

/** The one section that can be asked for without a second thought; undefined if there is a choice, or only an upgrade. */
export function onlyChoice(sections: readonly OfferedSection[] = [], hasCompleted: boolean): OfferedSection | undefined {
  const [only, ...others] = sections.filter(({ isOpen }) => isOpen);
  return only && others.length === 0 && (only.kind !== 'upgrade' || hasCompleted) ? only : undefined;
}
