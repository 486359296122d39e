// Words, colours and ages of admission requests, and their next acts.
import { expect, test } from 'vitest';
import { wordsOf } from '../closedSets.ts';
import { ageText, stateTones, statusLabel, statusText } from './requests.ts';
import { actLabel, nextActs, otherActs, type Verb } from './requestWords.ts';
import { readRequestsView, requestsParameters } from './useRequestsView.ts';

test('an address names states, what is waited for, and a colleague', () => {
  const view = readRequestsView(new URLSearchParams('status=pending,in_review&assignee=7&page=2'));
  expect(view).toEqual({ q: '', states: ['pending', 'in_review'], waits: '', assignee: '7', page: 2 });
  expect(requestsParameters(view)).toBe('?page=2&status=pending%2Cin_review&assignee=7');
  expect(readRequestsView(new URLSearchParams('waits=deposit&assignee=none'))).toMatchObject({ waits: 'deposit', assignee: 'none' });
  for (const text of ['', 'done', 'PENDING', 'toString']) {
    expect(readRequestsView(new URLSearchParams({ status: text, waits: text, assignee: text }))).toMatchObject({ states: [], waits: '', assignee: '' });
  }
});

test('a state is written as people write it, and may be chosen', () => {
  expect(statusText('info_requested')).toBe('info requested');
  expect(statusLabel('info_requested')).toBe('Info requested');
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

test('every other act has a reason', () => {
  for (const status of wordsOf(nextActs)) {
    const verbs = [...nextActs[status], ...otherActs(status).map(({ verb }) => verb)];
    expect(verbs.toSorted()).toEqual(['ask', 'decline', 'offer', 'remind', 'reopen', 'start-review', 'waitlist', 'withdraw']);
  }
  expect(otherActs('info_requested').find(({ verb }) => verb === 'ask')?.why).toContain('asked already');
});
