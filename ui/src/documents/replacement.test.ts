import { expect, it } from 'vitest';
import type { StudentDocument } from '../api-types.ts';
import { needsNewUpload, restoredName, replacedHint } from './replacement.ts';

const document = (documentType: StudentDocument['documentType'], status: StudentDocument['status'], originalName: string) =>
  ({ documentType, status, originalName });
const [second, first] = [document('transcript', 'pending_review', 'second.pdf'), document('transcript', 'superseded', 'first.pdf')];

it('says what a new upload replaces, and what goes with it', () => {
  expect(replacedHint('transcript', [])).toBeNull();
  expect(replacedHint('', [second])).toBeNull();
  expect(replacedHint('government_id', [second])).toBeNull();
  expect(replacedHint('other', [document('other', 'pending_review', 'a.pdf')])).toBeNull();
  expect(replacedHint('transcript', [document('transcript', 'accepted', 'a.pdf')])).toBeNull();
  expect(replacedHint('transcript', [second, first])).toBe(
    'It replaces “second.pdf”, which is waiting for review. Older ones that the office has not opened are removed.',
  );
});

it('knows which document counts again once one is removed', () => {
  expect(restoredName(second, [second, first])).toBe('first.pdf');
  expect(restoredName(second, [second])).toBeNull();
  expect(restoredName(first, [second, first])).toBeNull();
  expect(restoredName(document('other', 'pending_review', 'a.pdf'), [second, first])).toBeNull();
});

it('asks for another one in the place of the newest that was rejected or has expired', () => {
  const [rejected, expired] = [document('transcript', 'rejected', 'a.pdf'), document('government_id', 'expired', 'b.pdf')];
  expect([rejected, expired].map((one) => needsNewUpload(one, [rejected, expired]))).toEqual([true, true]);
  expect(needsNewUpload(rejected, [second, rejected]), 'a newer one waits').toBe(false);
  expect(needsNewUpload(second, [second, rejected])).toBe(false);
  const other = document('other', 'rejected', 'c.pdf');
  expect(needsNewUpload(other, [other])).toBe(false);
});
