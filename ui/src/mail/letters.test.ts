import { expect, it } from 'vitest';
import type { MailRecord } from '../api-types.ts';
import { emptyWords, fate, mayRetry, readStatus, statusBadge, statusOptions } from './letters.ts';

const letter: MailRecord = {
  id: 1, recipient: 'mei@mail.example', subject: 'Verify', status: 'queued', attempts: 0,
  nextAttemptAt: '2026-11-21T15:08:00Z', lastError: null, createdAt: '2026-11-21T15:00:00Z', sentAt: null,
};
const dead: MailRecord = { ...letter, status: 'dead', attempts: 20, nextAttemptAt: null, lastError: 'refused' };
const sent: MailRecord = { ...letter, status: 'sent', attempts: 1, nextAttemptAt: null, sentAt: '2026-11-21T15:01:00Z' };

it.each([
  [letter, 'On its way', false],
  [{ ...letter, attempts: 1 }, 'Tried once. Next try Nov 21, 2026, 10:08 AM.', true],
  [{ ...letter, attempts: 3 }, 'Tried 3 times. Next try Nov 21, 2026, 10:08 AM.', true],
  [dead, 'Tried 20 times. Given up.', true],
  [{ ...dead, attempts: 1 }, 'Tried once. Given up.', true],
  [sent, 'Sent Nov 21, 2026, 10:01 AM.', false],
])('says what happened to a letter, and offers a retry where one helps: %#', (one, words, retry) => {
  expect(fate(one, 'America/Toronto')).toBe(words);
  expect(mayRetry(one)).toBe(retry);
});

it('knows the three states and shows any other as it is', () => {
  expect(statusOptions.map(({ label }) => label)).toEqual(['All letters', 'Not delivered', 'Waiting', 'Sent']);
  expect(['', 'dead', 'queued', 'sent', 'DEAD', 'nonsense'].map(readStatus)).toEqual(['', 'dead', 'queued', 'sent', '', '']);
  expect(statusBadge('dead')).toMatchObject({ label: 'Not delivered', tone: 'red' });
  expect(statusBadge('lost')).toEqual({ label: 'lost', tone: 'red' });
});

it('says for each filter why there is nothing', () => {
  const titles = ['', 'dead', 'queued', 'sent'].map((status) => emptyWords(' ', status).title);
  expect(titles).toEqual(['No letters yet', 'Nothing was given up', 'Nothing is waiting', 'No letters sent yet']);
  expect(emptyWords('zoe', 'dead').title).toBe('No letters found');
});
