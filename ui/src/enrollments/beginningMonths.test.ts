import { expect, it } from 'vitest';
import { beginningMonths } from './beginningMonths.ts';

it('names the months in which an enrollment may begin, a year back and a year ahead', () => {
  const months = beginningMonths('2026-11-22', [{ name: 'Fall', startDate: '2026-09-08' }, { name: 'Winter', startDate: '2027-02-01' }]);
  expect(months).toHaveLength(25);
  expect(months[0]).toEqual({ value: '2025-11', label: 'Nov 2025' });
  expect(months.at(-1)).toEqual({ value: '2027-11', label: 'Nov 2027' });
  expect(months.filter(({ label }) => label.includes('·')).map(({ label }) => label)).toEqual([
    'Sep 2026 · Fall', 'Feb 2027 · Winter',
  ]);
});
