// What an application's state means to its family.
import { expect, test } from 'vitest';
import { wordsOf } from '../closedSets.ts';
import { toronto } from '../test/data.ts';
import { isCorrectable, isOpen, ownWords, stationOf, stillWanted } from './ownState.ts';
import type { OwnApplication } from './wire.ts';

const application = { firstName: 'Mei', stateSince: '2026-11-26T15:00:00Z', offer: null, asked: null, documents: [] } as unknown as OwnApplication;

test('each state says where the application stands, and what the family may do', () => {
  const words = (status: OwnApplication['status'], more: object = {}) => ownWords({ ...application, status, ...more }, toronto);
  for (const status of wordsOf(stationOf)) expect([status, words(status)]).toEqual([status, expect.stringMatching(/\.$/)]);
  expect(words('offered', { offer: { expiresOn: '2026-12-09' } })).toBe('We offer Mei a place. Please answer by Dec 9, 2026.');
  expect(words('declined')).toContain('We cannot offer a place.');
  expect(words('declined', { offer: { declineReason: null } }), 'by the family or the office').toBe('The offer was declined on November 26, 2026.');
  expect(wordsOf(stationOf).filter(isOpen)).toEqual(['pending', 'in_review', 'info_requested', 'waitlisted', 'offered']);
  expect(wordsOf(stationOf).filter(isCorrectable)).toEqual(['pending', 'info_requested']);
});

const sent = (uploadedAt: string) => ({ documentType: 'transcript', uploadedAt }) as OwnApplication['documents'][number];

test('a document that was sent before the question does not answer it', () => {
  const asked = { text: 'Please send both.', wants: ['transcript', 'study_permit'], at: '2026-11-26T15:00:00Z' };
  expect(stillWanted({ ...application, asked, documents: [sent('2026-11-26T14:00:00Z')] })).toEqual(['transcript', 'study_permit']);
  expect(stillWanted({ ...application, asked, documents: [sent('2026-11-26T15:30:00Z')] })).toEqual(['study_permit']);
  expect(stillWanted(application)).toEqual([]);
});
