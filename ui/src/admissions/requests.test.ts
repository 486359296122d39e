// Words, colours and ages of admission requests, and their next acts.
import { expect, test } from 'vitest';
import { wordsOf } from '../closedSets.ts';
import { ageText, readStatus, stateTones, statusOptions, statusText } from './requests.ts';
import { actLabel, nextActs, type Verb } from './requestWords.ts';

test('an address names one of the states, or all of them', () => {
  expect(readStatus('in_review')).toBe('in_review');
  for (const text of ['', 'done', 'PENDING', 'toString']) expect(readStatus(text)).toBe('');
});

test('a state is written as people write it, and may be chosen', () => {
  expect(statusText('info_requested')).toBe('info requested');
  expect(statusOptions).toContainEqual({ value: 'info_requested', label: 'Info requested' });
  expect(statusOptions).toHaveLength(10);
});

test('pending is yellow, as section 4 has it', () => {
  expect(stateTones.pending).toBe('yellow');
});

test('the age counts whole days while something waits', () => {
  const now = Date.parse('2026-11-26T12:00:00Z');
  for (const [stateSince, status, words] of [
    ['2026-11-26T00:00:00Z', 'pending', 'today'],
    ['2026-11-25T12:00:00Z', 'in_review', '1 day'],
    ['2026-10-26T12:00:00Z', 'offered', '31 days'],
    ['2026-10-26T12:00:00Z', 'declined', '–'],
    ['', 'pending', '–'],
  ] as const) {
    expect([stateSince, ageText({ status, stateSince }, now)]).toEqual([stateSince, words]);
  }
});

const from = (verb: Verb) => wordsOf(nextActs).filter((status) => (nextActs[status] as readonly Verb[]).includes(verb));

test('each state offers the acts that lead out of it, and no other', () => {
  expect(from('start-review')).toEqual(['pending', 'info_requested', 'waitlisted', 'offered']);
  expect(from('ask')).toEqual(['pending', 'in_review', 'waitlisted']);
  expect(from('waitlist')).toEqual(['pending', 'in_review', 'info_requested']);
  expect(from('offer')).toEqual(['pending', 'in_review', 'info_requested', 'waitlisted', 'offered', 'expired']);
  expect(from('decline')).toEqual(['pending', 'in_review', 'info_requested', 'waitlisted', 'offered']);
  expect(from('withdraw')).toEqual(['pending', 'in_review', 'info_requested', 'waitlisted', 'offered']);
  expect(from('reopen')).toEqual(['expired', 'declined', 'withdrawn']);
  expect(actLabel('start-review', 'offered')).toBe('Withdraw the Offer…');
});
