import { expect, test } from 'vitest';
import { otherPrice } from './fees.ts';

const quote = { quotedPrice: 729, quotedUntil: '2026-10-24' };

test.each([
  ['the course still costs what was quoted', { ...quote, price: 729, currentPrice: 729 }, null],
  ['it was never quoted', { price: 769, quotedPrice: null, quotedUntil: null, currentPrice: 769 }, null],
  ['the quote holds', { ...quote, price: 729, currentPrice: 769 }, { short: 'now $769.00', full: 'now $769.00' }],
  ['the quote ran out', { ...quote, price: 769, currentPrice: 769 }, { short: 'was $729.00', full: 'quoted $729.00 until Oct 24, 2026' }],
])('beside the fee, where %s', (_, prices, said) => {
  expect(otherPrice(prices)).toEqual(said);
});
