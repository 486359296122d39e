// What the office's inbox says of a message.
import type { ContactMessage } from '../api-types.ts';
import { subjects } from './schema.ts';

/** The colours of the states that a badge tells of. */
export const stateTones: ReadonlyMap<string, string> = new Map([['new', 'brass'], ['replied', 'green'], ['closed', 'blue'], ['spam', 'red']]);

export function subjectLabel(subject: string): string {
  return subjects.find(({ value }) => value === subject)?.label ?? subject;
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
