// What the office's inbox says of a message.
import type { ContactMessage } from '../api-types.ts';
import { subjects } from './schema.ts';

export function subjectLabel(subject: string): string {
  return subjects.find(({ value }) => value === subject)?.label ?? subject;
}

/** Opens an answer in the person's own mail program. */
export function replyLink({ email, subject }: Pick<ContactMessage, 'email' | 'subject'>): string {
  // An address may hold signs that would begin the parameters.
  const address = encodeURIComponent(email).replaceAll('%40', '@');
  return `mailto:${address}?subject=${encodeURIComponent(`Re: ${subjectLabel(subject)}`)}`;
}
