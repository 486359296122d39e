import { expect, test } from 'vitest';
import { datesSchema, earnsCredit, markSchema, withdrawalSchema } from './decisionForms.ts';

const why = 'The family asked for it.';

const acceptsMark = (finalMark: string) => markSchema.safeParse({ finalMark, reason: '', mailReason: false }).success;

test('marks are whole numbers from 0 to 100', () => {
  expect(['0', '7', '50', '100', ' 88 '].filter((mark) => !acceptsMark(mark))).toEqual([]);
  expect(['', '101', '-1', '87.5', 'A', '1e2'].filter(acceptsMark)).toEqual([]);
  expect([earnsCredit('49'), earnsCredit('50'), earnsCredit('')]).toEqual([false, true, false]);
});

test('leaving a course names a day and why, and the mark may be left out', () => {
  const accepts = (change: object) =>
    withdrawalSchema.safeParse({ effectiveOn: '2026-12-01', reason: why, mark: '', refund: 'none', ...change }).success;
  expect(accepts({})).toBe(true);
  for (const wrong of [{ effectiveOn: '' }, { reason: 'short' }, { mark: '101' }, { refund: 'half' }]) expect(accepts(wrong)).toBe(false);
});

test('a course ends after it began', () => {
  const accepts = (startDate: string, endDate: string) => datesSchema.safeParse({ startDate, endDate, reason: why, override: '', fee: '' }).success;
  expect(accepts('2026-09-08', '2027-01-30')).toBe(true);
  expect(accepts('2026-09-08', '2026-09-08')).toBe(false);
});
