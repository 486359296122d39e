import { expect, test } from 'vitest';
import { monthName, yearAround } from './months.ts';

test('months are named without a zone', () => {
  expect(['2026-01', '2026-11', '2027-05'].map((month) => monthName(month, 'short'))).toEqual(['Jan', 'Nov', 'May']);
  expect(monthName('2026-11', 'long')).toBe('November 2026');
});

test('a year goes over its end', () => {
  expect(yearAround('2026-11-27')).toEqual({ from: '2026-03-01', to: '2027-02-01' });
  expect(yearAround('2026-06-01')).toEqual({ from: '2025-10-01', to: '2026-09-01' });
});
