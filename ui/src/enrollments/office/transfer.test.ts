import { expect, test } from 'vitest';
import { differenceWords, transferBody, transferSchema } from './transfer.ts';

const values = { courseId: '', sectionId: '7', startDate: '2027-02-01', endDate: '2027-06-01', price: '' as const, reason: 'Another evening suits the family', guardian: '' };

test('a section says course and dates; another course without one needs dates', () => {
  expect(transferBody(values)).toEqual({ sectionId: 7, reason: values.reason });
  expect(transferBody({ ...values, courseId: '3', sectionId: '', price: 'keep' })).toEqual({
    courseId: 3, startDate: '2027-02-01', endDate: '2027-06-01', price: 'keep', reason: values.reason,
  });
  expect(transferBody({ ...values, guardian: 'Agreed on the phone' })).toEqual({ sectionId: 7, reason: values.reason, override: { guardian: 'Agreed on the phone' } });
});

test('a transfer goes somewhere else, for a reason', () => {
  const messages = (changed: Partial<typeof values>) => transferSchema.safeParse({ ...values, ...changed }).error?.issues.map(({ path }) => path[0]) ?? [];
  expect(messages({})).toEqual([]);
  expect(messages({ sectionId: '' })).toEqual(['sectionId']);
  expect(messages({ sectionId: '', courseId: '3', endDate: '2027-01-01' })).toEqual(['endDate']);
  expect(messages({ reason: 'short' })).toEqual(['reason']);
});

test('the difference in dollars', () => {
  expect(differenceWords(549, 669)).toBe('$120.00 more is charged.');
  expect(differenceWords(549, 449)).toBe('$100.00 is credited to the student.');
});
