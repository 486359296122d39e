// Identity changes in words: field by field, before and now.
import { expect, it } from 'vitest';
import type { IdentityChange } from '../api-types.ts';
import { historyText, nameOf, netChanges } from './identityChange.ts';

const [first, second] = ['2026-11-20T15:00:00Z', '2026-11-21T15:00:00Z'];

const rename = (before: string | null, after: string, at = first) => ({ field: 'fullName' as const, before, after, at });
const history = (...changes: ReturnType<typeof rename>[]) => netChanges(changes).map(historyText);

it('writes names, dates and states as the screens do', () => {
  const changes: IdentityChange['changes'] = [
    { field: 'fullName', before: 'Amara O.', after: 'Amara Okonkwo', at: first },
    { field: 'dateOfBirth', before: '2009-03-01', after: '2008-03-01', at: first },
    { field: 'canadianStatus', before: 'international_student', after: 'permanent_resident', at: second },
    { field: 'canadianStatus', before: 'permanent_resident', after: null, at: second },
  ];
  expect(netChanges(changes)).toEqual([
    { field: 'fullName', label: 'Full name', before: 'Amara O.', after: 'Amara Okonkwo', at: first, count: 1 },
    { field: 'dateOfBirth', label: 'Date of birth', before: 'Mar 1, 2009', after: 'Mar 1, 2008', at: first, count: 1 },
    { field: 'canadianStatus', label: 'Canadian status', before: 'International student', after: 'Not provided', at: second, count: 2 },
  ]);
});

it('goes from what was confirmed to what is there now, and says what lies between', () => {
  expect(netChanges([rename('A', 'B'), rename('B', 'C', second)])).toMatchObject([{ before: 'A', after: 'C', at: second, count: 2 }]);
  expect(history(rename('A', 'B'))).toEqual([null]);
  expect(history(rename('A', 'B'), rename('B', 'C'))).toEqual(['Changed 2 times']);
  expect(history(rename('A', 'B'), rename('B', 'A'))).toEqual(['Changed, and changed back']);
  expect(netChanges([rename(null, 'B')])).toMatchObject([{ before: 'Not provided' }]);
  expect(netChanges([])).toEqual([]);
});

it('calls a student without a name by number', () => {
  expect([nameOf({ id: 7, fullName: null }), nameOf({ id: 7, fullName: 'Amara' })]).toEqual(['Student #7', 'Amara']);
});
