import { expect, test } from 'vitest';
import type { ItemFees } from '../../api-types.ts';
import { allocationsOf, amountToSend, divisionProblem, dueItems, oldestFirst, type Parts, restText } from './division.ts';

const item = (enrollmentId: number | null, code: string, ...open: [amount: number, dueOn: string][]): ItemFees => {
  const due = open.reduce((sum, [amount]) => sum + amount, 0);
  return {
    enrollmentId, admissionId: enrollmentId === null ? 9 : null, for: code, quoted: null, charged: due, waived: 0, paid: 0,
    refunded: 0, due, credit: 0, dueOn: open[0]?.[1] ?? null, instalments: [], open: open.map(([amount, dueOn]) => ({ amount, dueOn })),
  };
};
// The newest first, as the server lists them.
const items = [
  item(4, 'CHV2O'),
  item(3, 'SPH4U', [100, '2026-12-05']),
  item(2, 'ENG4U', [500.2, '2026-12-05']),
  item(1, 'MHF4U', [350.05, '2026-12-01'], [350.05, '2027-01-05']),
  item(null, 'Admission fee', [300, '2026-11-01']),
];

test.each<[string, Parts, string]>([
  ['', {}, ''],
  ['abc', {}, ''],
  ['1.200', {}, ''],
  ['350.05', { 'enrollment-1': '350.05' }, 'Leaves nothing on account.'],
  // A plan's second part waits for the courses that are due before it; of two on a day the older comes first.
  ['400', { 'enrollment-1': '350.05', 'enrollment-2': '49.95' }, 'Leaves nothing on account.'],
  ['1,000.30', { 'enrollment-1': '400.10', 'enrollment-2': '500.20', 'enrollment-3': '100.00' }, 'Leaves nothing on account.'],
  ['2000', { 'enrollment-1': '700.10', 'enrollment-2': '500.20', 'enrollment-3': '100.00', 'admission-9': '300.00' }, 'Leaves $399.70 on account.'],
])('%s is divided as %o. %s', (amount, parts, rest) => {
  expect(oldestFirst(amount, items)).toEqual(parts);
  expect(restText(amount, parts)).toBe(rest);
  expect(divisionProblem(amount, parts, items)).toBeNull();
});

test('items with something due are listed in the order in which money reaches them', () => {
  expect(dueItems(items).map(({ for: label }) => label)).toEqual(['MHF4U', 'ENG4U', 'SPH4U', 'Admission fee']);
});

test.each<[string, Parts, string]>([
  ['100', { 'enrollment-3': '100.01' }, 'Only $100.00 is due for SPH4U'],
  ['100', { 'enrollment-3': '1.200,00' }, 'Write the part for SPH4U like 1,200.50'],
  ['100', { 'enrollment-3': '60', 'enrollment-2': '50.50' }, 'The parts add up to $10.50 more than the payment'],
])('%s divided as %o is refused: %s', (amount, parts, words) => {
  expect(divisionProblem(amount, parts, items)).toBe(words);
});

test('a division becomes the field that the server reads', () => {
  expect(allocationsOf({ 'enrollment-7': '1,200.5', 'admission-9': '20', 'enrollment-8': '', 'enrollment-6': '0' })).toEqual([
    { enrollmentId: 7, amount: 1200.5 }, { admissionId: 9, amount: 20 },
  ]);
});

test('an amount that may mean two things is sent as it was typed', () => {
  expect(['1,200.5', '550 $', '1\u{a0}200.50 CAD', 'CAD 1 200', '1.200', '1.200,00', 'x'].map(amountToSend)).toEqual([1200.5, 550, 1200.5, 1200, '1.200', '1.200,00', 'x']);
});
