import { expect, test } from 'vitest';
import { costOf, draftOf, exampleWords, ruleOf, untilWords, versionsOf } from './policyRules.ts';

test.each([
  ['start+5sd', 'until school day 5'],
  ['start+10d', 'until 10 days after the first day'],
  ['start-1d', 'until 1 day before the first day'],
  ['start', 'until the first day'],
  ['end', 'until the course ends'],
])('%s is read and written as people choose it', (until, words) => {
  expect(untilWords(until)).toBe(words);
  const written = ruleOf(draftOf({ until, percent: 50, keep: 0 }));
  expect(written).toEqual({ until: until === 'start' ? 'start+0d' : until, percent: 50, keep: null });
});

test('the example calculates as the server does', () => {
  expect(costOf({ percent: 100, keep: 100 })).toBe(100);
  expect(costOf({ percent: 33, keep: 0 }, 0.05)).toBe(0.04);
  expect(costOf({ percent: 10, keep: 100 })).toBe(769);
  expect(exampleWords({ until: 'start+5sd', percent: 100, keep: 100 })).toBe('A student who leaves until school day 5 pays $100.00 of a fee of $769.00, and gets $669.00 back.');
  expect(exampleWords({ until: 'end', percent: 0, keep: 0 })).toContain('pays the whole fee of $769.00');
});

const policy = (id: number, name: string) => ({ id, name, provinces: null, effectiveOn: '2026-01-01', rules: [], createdAt: '', by: null });

test('the newest version of each name is the current one', () => {
  const { current, earlier } = versionsOf([policy(3, 'A'), policy(2, 'B'), policy(1, 'A')]);
  expect([current.map(({ id }) => id), earlier.map(({ id }) => id)]).toEqual([[3, 2], [1]]);
});
