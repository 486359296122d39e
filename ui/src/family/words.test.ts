// Words of the family page.
import { expect, it } from 'vitest';
import type { FamilyChild, FamilyEnrollment } from '../api-types.ts';
import { confirmedWords, missingWords } from './FamilyChild.tsx';
import { waitsWords } from './FamilyPage.tsx';

it('says how many requests wait for the reader', () => {
  expect([0, 1, 3].map(waitsWords)).toEqual(['No request waits for your answer.', 'One request waits for your answer.', '3 requests wait for your answer.']);
});

it('says what became of a confirmation while the request is open', () => {
  const row = { status: 'pending', guardianConfirmed: true, isWaitingForOthers: false } as FamilyEnrollment;
  expect(confirmedWords(row)).toBe('Confirmed. The office decides next.');
  expect(confirmedWords({ ...row, isWaitingForOthers: true })).toBe('You confirmed. The school also asks the other guardian.');
  expect(confirmedWords({ ...row, guardianConfirmed: false })).toBe('The office decides next.');
  expect(confirmedWords({ ...row, status: 'active' })).toBe('');
});

it('names what the student still has to send, and not the guardian’s own part', () => {
  const item = { documentType: null, isWithOffice: false };
  const wanted = [
    { ...item, kind: 'guardian_confirmation', label: 'Guardian’s confirmation' },
    { ...item, kind: 'document', label: 'School Transcript' },
    { ...item, kind: 'document', label: 'Government ID', isWithOffice: true },
  ] as FamilyChild['wanted'];
  expect(missingWords(wanted)).toBe('School Transcript, Government ID (with the office)');
});
