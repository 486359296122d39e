import { expect, test } from 'vitest';
import { enrollmentForm, onBehalfSchema } from './onBehalf.ts';

const values = {
  courseId: '7', startDate: '2027-02-01', endDate: '2027-06-20', price: '', status: 'active', reason: 'Asked for on the phone.', override: '',
} as const;

test('a price and a reason for what is missing are sent only where they are given', () => {
  expect(enrollmentForm(3, values, [])).toEqual({
    studentId: 3, courseId: 7, startDate: '2027-02-01', endDate: '2027-06-20', status: 'active', reason: values.reason,
  });
  const sent = enrollmentForm(3, { ...values, price: '450.50', override: 'A chair was found.' }, ['capacity']);
  expect([sent.price, sent.override]).toEqual([450.5, { capacity: 'A chair was found.' }]);
});

test('a price is taken as people type it', () => {
  for (const [price, amount] of [['1,200', 1200], ['$1 200.50', 1200.5], [' 0 ', 0]] as const) {
    expect(enrollmentForm(3, onBehalfSchema.parse({ ...values, price }), []).price).toBe(amount);
  }
  expect(enrollmentForm(3, { ...values, price: ' ' }, [])).not.toHaveProperty('price');
  expect(onBehalfSchema.safeParse({ ...values, price: '12,50' }).error?.issues[0]?.message).toBe('Price must be a number');
});

test('what cannot be is named', () => {
  const wrong = (change: object) => onBehalfSchema.safeParse({ ...values, ...change }).error?.issues.map(({ path }) => path[0]);
  expect(wrong({})).toBeUndefined();
  expect(wrong({ courseId: '', price: '-1', reason: 'short' })).toEqual(['courseId', 'price', 'reason']);
  expect(wrong({ endDate: '2027-02-01' })).toEqual(['endDate']);
});
