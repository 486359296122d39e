// An amount may be a number, text, or missing (section 3).
import { expect, it } from 'vitest';
import { moneyText } from './money.ts';

it.each([
  [549, '$549.00'],
  ['549.5', '$549.50'],
  [0, '$0.00'],
  ['0', '$0.00'],
  [12650, '$12,650.00'],
  [99_999_999.99, '$99,999,999.99'],
  [-669, '−$669.00'],
  [null, 'Not set'],
  [undefined, 'Not set'],
  ['', 'Not set'],
  ['free', 'Not set'],
  [Number.NaN, 'Not set'],
])('%s reads %s', (amount, text) => {
  expect(moneyText(amount, 'Not set')).toBe(text);
});
