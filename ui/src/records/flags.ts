// What the office sees of a student at a glance: the chips of the list, the badges of a row and of the page.
import type { StudentFlag, StudentStatus } from '../api-types.ts';
import { type Tone, wordsOf } from '../closedSets.ts';

/** In the order of the chips; `urgent` ones are what somebody has to do something about. */
export const flags = {
  request_waiting: { label: 'Request waiting', tone: 'yellow' },
  document_waiting: { label: 'Document waiting', tone: 'yellow' },
  past_end_no_mark: { label: 'Past end, no mark', tone: 'yellow' },
  guardian_not_confirmed: { label: 'Guardian not confirmed', tone: 'brass' },
  profile_incomplete: { label: 'Profile incomplete', tone: 'brass' },
  unverified: { label: 'Unverified', tone: 'plain' },
  under_18: { label: 'Under 18', tone: 'plain' },
  international: { label: 'International', tone: 'blue' },
  suspended: { label: 'Suspended', tone: 'red' },
  closed: { label: 'Closed', tone: 'red' },
} satisfies Record<StudentFlag, { label: string; tone: Tone }>;

/** The flags that a list of words names, in the order of the chips. */
export function readFlags(text: string | null): StudentFlag[] {
  const words = (text ?? '').split(',');
  return wordsOf(flags).filter((flag) => words.includes(flag));
}

/** The chips: no document can be reviewed yet, and what nothing can change is not shown as waiting. */
export const chips = wordsOf(flags).filter((flag) => flag !== 'document_waiting');

/** Those of a row that are worth a badge: that somebody is 16 stands beside the name already. */
export function shownFlags(all: readonly StudentFlag[]): StudentFlag[] {
  return chips.filter((flag) => all.includes(flag) && flag !== 'under_18');
}

export const accountStates = {
  active: { label: 'Active', tone: 'green' },
  unverified: { label: 'Unverified', tone: 'plain' },
  suspended: { label: 'Suspended', tone: 'red' },
  closed: { label: 'Closed', tone: 'red' },
} satisfies Record<StudentStatus, { label: string; tone: Tone }>;
