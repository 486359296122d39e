import { expect, it } from 'vitest';
import { documentName, documentReviews, reviewNote } from './types.ts';

const nothing = { rejectCode: null, reason: null, expiresOn: null };

it('has a word of its own for each state of a review', () => {
  const labels = Object.values(documentReviews).map(({ label }) => label);
  expect(new Set(labels).size).toBe(labels.length);
  expect(documentReviews.pending_review.label).toBe('Waiting for the office');
});

it('says why a document was rejected, and until when an accepted one counts', () => {
  expect(reviewNote({ ...nothing, status: 'rejected', rejectCode: 'incomplete', reason: 'Page 2 is missing.' })).toBe('Parts of it are missing. Page 2 is missing.');
  expect(reviewNote({ ...nothing, status: 'rejected', rejectCode: 'unreadable' })).toBe('It cannot be read.');
  expect(reviewNote({ ...nothing, status: 'accepted', expiresOn: '2027-06-30' })).toBe('Counts until Jun 30, 2027');
  expect(reviewNote({ ...nothing, status: 'expired', expiresOn: '2026-06-30' })).toBe('Expired on Jun 30, 2026');
  expect(reviewNote({ ...nothing, status: 'superseded', expiresOn: '2026-06-30' })).toBeNull();
  expect(reviewNote({ ...nothing, status: 'accepted' })).toBeNull();
});

it('calls a document by its type, and another one by its label', () => {
  expect(documentName({ documentType: 'iep', label: null })).toBe('Individual Education Plan');
  expect(documentName({ documentType: 'other', label: 'Letter of the coach' })).toBe('Letter of the coach');
});
