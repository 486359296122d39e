// Decline categories with suggested messages.
import * as z from 'zod/mini';
import type { DeclineCode } from '../api-types.ts';
import { wordsOf } from '../closedSets.ts';

/** Each category with a suggested message. */
export const declineReasons = {
  class_full: { label: 'Class full', text: 'All seats of this course are taken for the dates that you asked for.' },
  prerequisite_missing: { label: 'Prerequisite missing', text: 'This course has a prerequisite, and we have no proof yet that you completed it.' },
  documents_missing: { label: 'Documents missing', text: 'We need your documents before we can enroll you. Please upload them in the student portal, then ask again.' },
  dates: { label: 'Dates', text: 'This course does not run on the dates that you asked for.' },
  other: { label: 'Other', text: '' },
} satisfies Record<DeclineCode, { label: string; text: string }>;

const short = 'Please say in at least 10 characters why; the student reads it';

export const declineSchema = z.object({
  code: z.enum(wordsOf(declineReasons)),
  reason: z.string().check(z.trim(), z.minLength(10, short), z.maxLength(1000, 'Must be at most 1000 characters')),
});

/** The message after a change of category: an edited one is kept, a suggested one replaced. */
export function wordsFor(code: DeclineCode, written: string): string {
  const isTemplate = written.trim() === '' || Object.values(declineReasons).some(({ text }) => text === written);
  return isTemplate ? declineReasons[code].text : written;
}
