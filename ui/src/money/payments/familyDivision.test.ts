import { expect, test } from 'vitest';
import { type Child, divideByDue, divisionOf, shareProblem } from './familyDivision.ts';

const child = (studentId: number, due: number): Child => ({ studentId, studentName: `Child ${studentId}`, due });

test.each([
  { amount: '800', dues: [500, 300], shares: ['500.00', '300.00'] },
  { amount: '900', dues: [500, 300], shares: ['600.00', '300.00'] },
  { amount: '400', dues: [500, 300], shares: ['250.00', '150.00'] },
  { amount: '100', dues: [100, 100, 100], shares: ['33.34', '33.33', '33.33'] },
  { amount: '0.01', dues: [0, 50], shares: ['', '0.01'] },
  { amount: '50', dues: [0, 0], shares: ['50.00', ''] },
  { amount: '', dues: [5, 5], shares: [undefined, undefined] },
])('$amount among $dues', ({ amount, dues, shares }) => {
  const children = dues.map((due, at) => child(at + 1, due));
  const divided = divideByDue(amount, children);
  expect(dues.map((_, at) => divided[at + 1])).toEqual(shares);
});

test('a division names what is wrong with it', () => {
  const children = [child(1, 500), child(2, 300)];
  expect(shareProblem('800', { 1: '500', 2: '300' }, children)).toBeNull();
  expect(shareProblem('800', { 1: '500', 2: '3oo' }, children)).toBe('Write the part of Child 2 like 120.50');
  expect(shareProblem('800', { 1: '500', 2: '200' }, children)).toContain('$700.00, but the payment is $800.00');
  expect(shareProblem('800', { 1: '800' }, children)).toContain('Only one child');
  expect(divisionOf({ 1: '500', 2: '' })).toEqual([{ studentId: 1, amount: '500' }]);
});
