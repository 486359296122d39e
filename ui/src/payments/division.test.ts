import { expect, test } from 'vitest';
import type { ItemFees } from '../api-types.ts';
import { amountToSend, divisionText, type Target, targetFields } from './division.ts';

const item = (enrollmentId: number | null, code: string, due: number, dueOn: string): ItemFees => ({
  enrollmentId, admissionId: enrollmentId === null ? 9 : null, for: code, quoted: null, charged: due, waived: 0, paid: 0,
  refunded: 0, due, credit: 0, dueOn, instalments: [],
});
const items = [item(null, 'Admission fee', 300, '2026-11-01'), item(1, 'MHF4U', 700.1, '2027-01-05'), item(2, 'ENG4U', 500.2, '2026-12-05'), item(3, 'CHV2O', 0, '')];

test.each<[string, Target, string]>([
  ['', 'oldest', ''],
  ['abc', 'oldest', ''],
  ['1.200', 'oldest', ''],
  ['500.20', 'oldest', 'ENG4U $500.20.'],
  ['1,200.30', 'oldest', 'ENG4U $500.20, MHF4U $700.10.'],
  ['2000', 'oldest', 'ENG4U $500.20, MHF4U $700.10, Admission fee $300.00. $499.70 stays on account.'],
  ['$800', 'enrollment-1', 'MHF4U $700.10. $99.90 stays on account.'],
  ['50', 'admission-9', 'Admission fee $50.00.'],
  ['50', 'account', '$50.00 stays on account.'],
])('%s for %s goes to: %s', (amount, target, words) => {
  expect(divisionText(amount, target, items)).toBe(words);
});

test('a choice becomes the field that the server reads', () => {
  expect((['oldest', 'account', 'enrollment-7', 'admission-9'] as const).map(targetFields)).toEqual([
    {}, { allocations: [] }, { enrollmentId: 7 }, { admissionId: 9 },
  ]);
});

test('an amount that may mean two things is sent as it was typed', () => {
  expect(['1,200.5', '550 $', '1.200', '1.200,00', 'x'].map(amountToSend)).toEqual([1200.5, 550, '1.200', '1.200,00', 'x']);
});
