import { expect, it } from 'vitest';
import type { MailRecord } from '../api-types.ts';
import { toronto } from '../test/data.ts';
import { emptyWords, deliveryText, mayRetry, notSentWords, readStatus, statusBadge, statusOptions } from './emails.ts';

const email: MailRecord = {
  id: 1, recipient: 'mei@mail.example', subject: 'Verify', status: 'queued', attempts: 0,
  nextAttemptAt: '2026-11-21T15:08:00Z', lastError: null, createdAt: '2026-11-21T15:08:00Z', sentAt: null, isInFile: false,
};
const dead: MailRecord = { ...email, status: 'dead', attempts: 20, nextAttemptAt: null, lastError: 'refused' };
const sent: MailRecord = { ...email, status: 'sent', attempts: 1, nextAttemptAt: null, sentAt: '2026-11-21T15:01:00Z' };

it.each([
  [email, 'On its way', false],
  [{ ...email, attempts: 1 }, 'Tried once. Next try Nov 21, 2026, 10:08 AM.', true],
  [{ ...email, attempts: 3 }, 'Tried 3 times. Next try Nov 21, 2026, 10:08 AM.', true],
  [dead, 'Tried 20 times. Given up.', true],
  [{ ...dead, attempts: 1 }, 'Tried once. Given up.', true],
  [sent, 'Sent Nov 21, 2026, 10:01 AM.', false],
  [{ ...sent, isInFile: true }, 'Written to a file Nov 21, 2026, 10:01 AM.', false],
  [
    { ...email, createdAt: '2026-11-21T14:30:00Z' },
    'Held back until Nov 21, 2026, 10:08 AM: several like it were sent just before.',
    false,
  ],
])('says what happened to an email, and offers a retry where one helps: %#', (one, words, retry) => {
  expect(deliveryText(one, toronto)).toBe(words);
  expect(mayRetry(one)).toBe(retry);
});

it('knows the three states', () => {
  expect(statusOptions.map(({ label }) => label)).toEqual(['All emails', 'Not delivered', 'Waiting', 'Sent']);
  expect(['', 'dead', 'queued', 'sent', 'DEAD', 'nonsense'].map(readStatus)).toEqual(['', 'dead', 'queued', 'sent', '', '']);
  expect(statusBadge(dead)).toMatchObject({ label: 'Not delivered', tone: 'red' });
});

it('calls nothing sent that was only written to a file', () => {
  expect(statusBadge(sent)).toMatchObject({ label: 'Sent', tone: 'green' });
  expect(statusBadge({ ...sent, isInFile: true })).toEqual({ label: 'Written to a file', tone: 'yellow' });
});

it.each([
  [{ mailbox: 0, account: 0, block: 0, school: 0 }, []],
  [{ mailbox: 1, account: 0, block: 0, school: 0 }, ['1 because its mailbox had several like it just before']],
  [
    { mailbox: 41, account: 7, block: 5, school: 300 },
    [
      '41 because their mailboxes had several like them just before',
      '7 because one student’s account triggered too many',
      '5 because too many were requested from one network',
      '300 because the school’s emails for the day were used up',
    ],
  ],
])('counts what was not sent, and why: %#', (counts, words) => {
  expect(notSentWords(counts)).toEqual(words);
});

it('says for each filter why there is nothing', () => {
  const titles = (['', 'dead', 'queued', 'sent'] as const).map((status) => emptyWords(' ', status).title);
  expect(titles).toEqual(['No emails yet', 'No failed emails', 'Nothing is waiting', 'No emails sent yet']);
  expect(emptyWords('zoe', 'dead').title).toBe('No emails found');
});
