// What the office's inbox says of a message.
import type { ContactMessage, ContactSubject, MessageStatus } from '../api-types.ts';
import type { Tone } from '../closedSets.ts';
import { subjectLabels } from './schema.ts';

/** The colours of the states; no badge marks one that was read and waits for nothing more. */
export const stateTones = { new: 'brass', open: null, replied: 'green', closed: 'blue', spam: 'red' } satisfies Record<MessageStatus, Tone | null>;

export function subjectLabel(subject: ContactSubject): string {
  return subjectLabels[subject];
}

/** Opens an answer in the person's own mail program. */
export function replyLink({ email, subject }: Pick<ContactMessage, 'email' | 'subject'>): string {
  // An address may hold signs that would begin the parameters.
  const address = encodeURIComponent(email).replaceAll('%40', '@');
  return `mailto:${address}?subject=${encodeURIComponent(`Re: ${subjectLabel(subject)}`)}`;
}

/**
 * A text cut at its links: every second piece, from the second on, is an address on the web. The
 * mark that ends a sentence is no part of one, nor is a sign that cannot be seen.
 */
export function linkPieces(text: string): string[] {
  return text.split(/\b(https?:\/\/[^\s<>"\p{C}]*[^\s<>"\p{C}'.,;:!?…)\]}])/iu);
}
