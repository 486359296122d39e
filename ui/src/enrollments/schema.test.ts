// Date rules in section 5's words; the end follows the start.
import { expect, it } from 'vitest';
import { enrollmentSchema, usualDates, usualEnd } from './schema.ts';

function messages(startDate: string, endDate: string) {
  const result = enrollmentSchema.safeParse({ startDate, endDate });
  return (result.error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`);
}

it.each([
  ['2026-09-08', '2026-09-09', []],
  ['', '', ['startDate: Start date is required', 'endDate: End date is required']],
  ['', '2026-09-09', ['startDate: Start date is required']],
  ['2026-09-08', '', ['endDate: End date is required']],
  ['2026-09-08', '2026-09-08', ['endDate: End date must be after start date']],
  ['2026-09-08', '2025-12-31', ['endDate: End date must be after start date']],
])('%s to %s', (start, end, expected) => {
  expect(messages(start, end)).toEqual(expected);
});

it('ends four months after the start', () => {
  expect(usualDates('2026-11-21')).toEqual({ startDate: '2026-11-21', endDate: '2027-03-21' });
  expect(usualEnd('2026-10-31')).toBe('2027-02-28');
});

it.each(['', '0002-09-08', '0202-09-08', '2026-02-30'])('does not follow “%s”, which is still being typed', (start) => {
  expect(usualEnd(start)).toBeNull();
});
