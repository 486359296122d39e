// Validation and defaults of the charge form.
import { expect, it } from 'vitest';
import { amountOf, chargeSchema, usualCharge } from './charge.ts';

const wrong = 'Amount must be more than $0.00 and at most $99,999,999.99, with at most two decimals';

function messages(amount: string, dueOn = '2026-12-05') {
  const result = chargeSchema.safeParse({ amount, dueOn });
  return (result.error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`);
}

it.each(['480', '480.5', '$1,250.00', '0.01', '99999999.99', 'CAD 550'])('takes an amount of %s', (amount) => {
  expect(messages(amount)).toEqual([]);
});

it.each(['0', '0.00', '-5', '480.555', '1.200', '100000000', '480,50', 'ask the bursar', '.'])('refuses an amount of %s', (amount) => {
  expect(messages(amount)).toEqual([`amount: ${wrong}`]);
});

it('asks for both fields', () => {
  expect(messages(' ', '')).toEqual(['amount: Amount is required', 'dueOn: Due date is required']);
});

it.each([[480, '480.00'], [1250.5, '1250.50'], [0, ''], [null, '']] as const)('begins a course of %s with “%s”', (price, amount) => {
  expect(usualCharge({ current_fee: price, usual_due_on: '2026-12-05' })).toEqual({ amount, dueOn: '2026-12-05' });
});

it('sends what was meant', () => {
  expect(amountOf({ amount: '$1,250.50', dueOn: '2026-12-05' })).toBe(1250.5);
});
