// Status colours, reply links and link detection of messages.
import type { ContactMessage, ContactSubject, MessageStatus } from '../api-types.ts';
import type { Tone } from '../closedSets.ts';
import { subjectLabels } from './schema.ts';

/** Status colours; read messages have no badge. */
export const stateTones = { new: 'brass', open: null, replied: 'green', closed: 'blue', spam: 'red' } satisfies Record<MessageStatus, Tone | null>;

export function subjectLabel(subject: ContactSubject): string {
  return subjectLabels[subject];
}

/** A mailto: link for the reply. */
export function replyLink({ email, subject }: Pick<ContactMessage, 'email' | 'subject'>): string {
  // An address may contain characters that would start the parameters.
  const address = encodeURIComponent(email).replaceAll('%40', '@');
  return `mailto:${address}?subject=${encodeURIComponent(`Re: ${subjectLabel(subject)}`)}`;
}

/**
 * Splits a text at its URLs: every second piece, from the second on, is a URL. Closing punctuation and invisible
 * characters are not part of one.
 */
export function linkPieces(text: string): string[] {
  return text.split(/\b(https?:\/\/[^\s<>"\p{C}]*[^\s<>"\p{C}'.,;:!?…)\]}])/iu);
}
