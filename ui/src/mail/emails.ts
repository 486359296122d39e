// Words for an email's status and delivery.
import type { Dashboard, EmailStatus, MailRecord } from '../api-types.ts';
import { readWord, type Tone, wordsOf } from '../closedSets.ts';
import { momentText, type Zone } from '../dates.ts';

export const states = {
  dead: { label: 'Not delivered', tone: 'red' },
  queued: { label: 'Waiting', tone: 'yellow' },
  sent: { label: 'Sent', tone: 'green' },
} satisfies Record<EmailStatus, { label: string; tone: Tone }>;

export const statusOptions = [
  { value: '', label: 'All emails' },
  ...wordsOf(states).map((value) => ({ value, label: states[value].label })),
];

/** The status in a query parameter, or '' for all. */
export function readStatus(text: string): EmailStatus | '' {
  return readWord(states, text);
}

export function statusBadge({ status, isInFile, settledAt }: Pick<MailRecord, 'status' | 'isInFile' | 'settledAt'>): { label: string; tone: Tone } {
  if (settledAt) return { label: 'Settled', tone: 'plain' };
  // Not delivered: no mail server was configured.
  return isInFile ? { label: 'Written to a file', tone: 'yellow' } : states[status];
}

/** "Tried 3 times. Next try Nov 21, 2026, 10:08 AM." */
export function deliveryText({ status, attempts, nextAttemptAt, createdAt, sentAt, isInFile }: MailRecord, timeZone: Zone): string {
  if (sentAt) return `${isInFile ? 'Written to a file' : 'Sent'} ${momentText(sentAt, timeZone)}.`;
  if (status === 'queued' && attempts === 0) {
    // Delayed by the mail budget: the same mailbox has just had several.
    const isDelayed = nextAttemptAt !== null && nextAttemptAt > createdAt;
    return isDelayed ? `Held back until ${momentText(nextAttemptAt, timeZone)}: several like it were sent just before.` : 'On its way';
  }
  const tried = attempts === 1 ? 'Tried once.' : `Tried ${attempts} times.`;
  return nextAttemptAt ? `${tried} Next try ${momentText(nextAttemptAt, timeZone)}.` : `${tried} Given up.`;
}

/** Why emails were withheld, usually because a form was filled in with others' addresses. */
export function notSentWords({ mailbox, account, block, school }: NonNullable<Dashboard['mailNotSent']>): string[] {
  return [
    mailbox > 0 && `${mailbox} because ${mailbox === 1 ? 'its mailbox had several like it' : 'their mailboxes had several like them'} just before`,
    account > 0 && `${account} because one student’s account triggered too many`,
    block > 0 && `${block} because too many were requested from one network`,
    school > 0 && `${school} because the school’s emails for the day were used up`,
  ].filter((words) => words !== false);
}

/** Whether Retry would have an effect: an email not tried yet is sent automatically. */
export function mayRetry({ status, attempts }: MailRecord): boolean {
  return status === 'dead' || (status === 'queued' && attempts > 0);
}

/** The empty state of the list. */
export function emptyWords(q: string, status: EmailStatus | ''): { icon: 'search' | 'check' | 'send'; title: string; text: string } {
  if (q.trim()) {
    return { icon: 'search', title: 'No emails found', text: 'No emails match your search. Try different keywords or another status.' };
  }
  switch (status) {
    case 'dead':
      return { icon: 'check', title: 'No failed emails', text: 'Emails that the mail server rejected, or that could not be sent for two days, are listed here.' };
    case 'queued':
      return { icon: 'check', title: 'Nothing is waiting', text: 'Emails are listed here until the mail server has accepted them.' };
    case 'sent':
    case '':
      return { icon: 'send', title: status ? 'No emails sent yet' : 'No emails yet', text: 'Emails to students and families are listed here with their delivery status.' };
  }
}
