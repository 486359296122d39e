// Words about a student for the office.
import { expect, it } from 'vitest';
import type { StudentFile } from '../api-types.ts';
import { valueText } from './fieldWords.ts';
import { ageWords, eventWords } from './words.ts';

const confirmed = { at: '2026-11-21T15:00:00Z', by: 'office', how: 'phone' } as const;
const file = (age: number | null, name?: string, isConfirmed = false, isMissing = !isConfirmed) =>
  ({
    student: { age, guardianConfirmed: isConfirmed ? confirmed : null },
    flags: isMissing ? ['guardian_not_confirmed'] : [],
    guardians: name ? [{ name, contact: null, confirmed: isConfirmed ? confirmed : null }] : [],
  }) as unknown as StudentFile;

it.each([
  [file(null), null],
  [file(18, 'Chidi'), '18'],
  [file(16, 'Chidi', true), '16, guardian: Chidi ✓'],
  [file(16, 'Chidi', true, true), '16, guardian: Chidi, not confirmed'],
  [file(16, 'Chidi'), '16, guardian: Chidi, not confirmed'],
  [file(16), '16, no guardian named'],
])('says a student’s age and guardian', (facts, words) => {
  expect(ageWords(facts)).toBe(words);
});

it('says what happened to an enrollment', () => {
  const event = { mark: null, missing: null };
  expect(eventWords({ ...event, verb: 'complete', to: 'completed', mark: 87 })).toBe('Completed, 87 %');
  expect(eventWords({ ...event, verb: null, to: 'active' })).toBe('Became active');
  const approved = { ...event, verb: 'approve', to: 'active' } as const;
  expect(eventWords({ ...approved, missing: [] })).toBe('Approved');
  expect(eventWords({ ...approved, missing: ['guardian', 'documents'] })).toBe('Approved without: guardian, documents');
});

it('says values and wishes as people read them', () => {
  expect(valueText('canadianStatus', 'permanent_resident')).toBe('Permanent resident');
  expect(valueText('city', null)).toBe('—');
});
