import { describe, expect, it } from 'vitest';
import { courseRow } from '../test/data.ts';
import { type Order, readSort, sorted, sortText } from './courseOrder.ts';

const rows = [
  courseRow({ code: 'ENG4U', grade: 12, name: 'English', price: 549, capacity: 25, seatsTaken: 24 }),
  courseRow({ code: 'ENL1W', grade: 9, name: 'anglais', price: null, capacity: 25, seatsTaken: 25 }),
  courseRow({ code: 'MHF4U', grade: 12, name: 'Functions', price: 1200, seatsTaken: 90 }),
];

describe('the order of the table', () => {
  it.each<[Order, boolean, string]>([
    ['grade', false, 'ENL1W ENG4U MHF4U'],
    ['code', true, 'MHF4U ENL1W ENG4U'],
    ['name', false, 'ENL1W ENG4U MHF4U'],
    ['price', false, 'ENG4U MHF4U ENL1W'],
    ['price', true, 'MHF4U ENG4U ENL1W'],
    ['seats', false, 'ENL1W ENG4U MHF4U'],
  ])('by %s, descending: %s', (by, isDescending, expected) => {
    expect(sorted(rows, { by, isDescending }).map(({ code }) => code).join(' ')).toBe(expected);
  });

  it('is in the address unless it is the usual one', () => {
    expect([null, '', 'x', '--price', '-price', 'seats'].map((text) => sortText(readSort(text)))).toEqual(['', '', '', '', '-price', 'seats']);
  });
});
