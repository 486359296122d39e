// A student's flags: the chips of the list, the badges of a row and of the page.
import type { StudentFlag, StudentStatus } from '../api-types.ts';
import { type Tone, wordsOf } from '../closedSets.ts';

/** In the order of the chips; `urgent` ones need action. */
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

/** The flags in a list of keys, in the order of the chips. */
export function readFlags(text: string | null): StudentFlag[] {
  const words = (text ?? '').split(',');
  return wordsOf(flags).filter((flag) => words.includes(flag));
}

export const chips = wordsOf(flags);

/** A row's badges, without age flags: the age is beside the name. */
export function shownFlags(all: readonly StudentFlag[]): StudentFlag[] {
  return chips.filter((flag) => all.includes(flag) && flag !== 'under_18');
}

export const accountStates = {
  active: { label: 'Active', tone: 'green' },
  unverified: { label: 'Unverified', tone: 'plain' },
  suspended: { label: 'Suspended', tone: 'red' },
  closed: { label: 'Closed', tone: 'red' },
} satisfies Record<StudentStatus, { label: string; tone: Tone }>;
