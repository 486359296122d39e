// The parts of a fee in words.
import { expect, test } from 'vitest';
import { partsText } from './partWords.ts';
import type { FeePart } from './wire.ts';

const deposit: FeePart = { item: 'deposit', amount: 500, dueOn: '2026-12-20' };
const rest: FeePart = { item: 'admission', amount: 750.5, dueOn: '2027-01-15' };

test('each part has its day; a deposit without one is due on acceptance', () => {
  expect(partsText([deposit, rest])).toBe('$500.00 due Dec 20, 2026 and $750.50 due Jan 15, 2027');
  expect(partsText([{ ...deposit, dueOn: null }])).toBe('$500.00 due on acceptance');
});
