import { describe, expect, it } from 'vitest';
import type { DocumentStatus, DocumentType } from '../api-types.ts';
import { wantedOf } from './wanted.ts';

const complete = { fullName: 'Amara', phoneNumber: '416', address: '1 Lane', dateOfBirth: '2000-01-01', parentName: null };
const document = (documentType: DocumentType, status: DocumentStatus = 'accepted') => ({ documentType, status });
const both = [document('government_id'), document('transcript', 'pending_review')];
const whats = (...given: Parameters<typeof wantedOf>) => wantedOf(...given).map(({ what }) => what);

describe('what is still wanted', () => {
  it('is nothing once all is there', () => {
    expect(whats(complete, both, '2026-11-22')).toEqual([]);
    expect(whats(complete, [], '2026-11-22'), 'a card of its own reminds of that').toEqual([]);
  });

  it('is a profile, and then the guardian of a minor', () => {
    const minor = { ...complete, dateOfBirth: '2009-03-01' };
    expect(whats({ ...minor, address: null }, both, '2026-11-22')).toEqual(['Your profile']);
    expect(whats(minor, both, '2026-11-22')).toEqual(['A parent or guardian']);
    expect(whats({ ...minor, parentName: 'Chidi' }, both, '2026-11-22')).toEqual([]);
    expect(whats(minor, both, '2027-03-01')).toEqual([]);
  });

  it('is a document that is missing, or was not accepted', () => {
    expect(whats(complete, [document('other')], '2026-11-22')).toEqual(['Government ID', 'School Transcript']);
    expect(whats(complete, [...both, document('transcript', 'rejected')], '2026-11-22')).toEqual([]);
    expect(whats(complete, [document('government_id'), document('transcript', 'rejected')], '2026-11-22')).toEqual(['School Transcript']);
  });
});
