// The parts of a fee in words.
import { expect, test } from 'vitest';
import { partName, partsText } from './partWords.ts';
import type { FeePart } from './wire.ts';

const deposit: FeePart = { item: 'deposit', amount: 500, dueOn: '2026-12-20' };
const rest: FeePart = { item: 'admission', amount: 750.5, dueOn: '2027-01-15' };

test('each part is named with its day; a deposit without one is due on acceptance', () => {
  expect([deposit, rest].map((part, _, parts) => partName(part, parts))).toEqual(['Deposit', 'Rest of the fee']);
  expect([partName(rest, [rest]), partName(deposit, [deposit])]).toEqual(['Fee', 'Deposit']);
  expect(partsText([deposit, rest])).toBe('$500.00 due Dec 20, 2026 and $750.50 due Jan 15, 2027');
  expect(partsText([{ ...deposit, dueOn: null }, { ...rest, dueOn: null }])).toBe('$500.00 due when you accept and $750.50');
});
