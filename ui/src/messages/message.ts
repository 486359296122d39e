// Status colours, the order of a conversation, and link detection of messages.
import type { ContactMessage, ContactSubject, MessageStatus, MessageThread } from '../api-types.ts';
import type { Tone } from '../closedSets.ts';
import { subjectLabels } from './schema.ts';

/** Status colours; read messages have no badge. */
export const stateTones = { new: 'brass', open: null, replied: 'green', closed: 'blue', spam: 'red' } satisfies Record<MessageStatus, Tone | null>;

export function subjectLabel(subject: ContactSubject): string {
  return subjectLabels[subject];
}

/** A mailto: link, for a reply from another program. */
export function replyLink({ email, subject }: Pick<ContactMessage, 'email' | 'subject'>): string {
  // An address may contain characters that would start the parameters.
  const address = encodeURIComponent(email).replaceAll('%40', '@');
  return `mailto:${address}?subject=${encodeURIComponent(`Re: ${subjectLabel(subject)}`)}`;
}

/** "40 min", "5 h" or "3 days": how long a message has waited, or waited for its first reply; null once nothing waits. */
export function answerAge({ status, createdAt, firstReplyAt }: Pick<ContactMessage, 'status' | 'createdAt' | 'firstReplyAt'>, now: number = Date.now()): string | null {
  const until = firstReplyAt ? Date.parse(firstReplyAt) : now;
  const minutes = Math.max(0, Math.floor((until - Date.parse(createdAt)) / 60_000));
  const [hours, days] = [Math.floor(minutes / 60), Math.floor(minutes / 1440)];
  const age = days > 0 ? `${days} ${days === 1 ? 'day' : 'days'}` : hours > 0 ? `${hours} h` : `${minutes} min`;
  if (firstReplyAt) return `answered in ${age}`;
  return status === 'new' || status === 'open' ? `waiting ${age}` : null;
}

export type Entry = { key: string; kind: 'reply' | 'answer' | 'note'; title: string; body: string; at: string };

/** Replies, answers and notes, oldest first. */
export function conversation({ name, replies, notes }: Pick<MessageThread, 'name' | 'replies' | 'notes'>): Entry[] {
  const titles = { reply: (by: string) => `Reply by ${by}`, answer: (by: string) => `${name} answered, entered by ${by}` };
  const entries: Entry[] = [
    ...replies.map(({ id, kind, by, body, at }) => ({ key: `reply-${id}`, kind, title: titles[kind](by), body, at })),
    ...notes.map(({ id, by, body, createdAt }) => ({ key: `note-${id}`, kind: 'note' as const, title: `Note by ${by}`, body, at: createdAt })),
  ];
  return entries.toSorted((one, other) => one.at.localeCompare(other.at));
}

/**
 * Splits a text at its URLs: every second piece, from the second on, is a URL. Closing punctuation and invisible
 * characters are not part of one.
 */
export function linkPieces(text: string): string[] {
  return text.split(/\b(https?:\/\/[^\s<>"\p{C}]*[^\s<>"\p{C}'.,;:!?…)\]}])/iu);
}
