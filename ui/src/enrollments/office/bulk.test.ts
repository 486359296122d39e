import { afterEach, expect, test, vi } from 'vitest';
import type { OfficeEnrollment, Requirement } from '../../api-types.ts';
import { postJson } from '../../api.ts';
import { approvalOf, decideInBatches, missingText, type BulkOutcome, promiseText, togetherText } from './bulk.ts';

const row = (...missing: Requirement[]) => ({ missing }) as OfficeEnrollment;

test('a selection is approved in the order of the list, and a reason counts for the ticked ones', () => {
  const [plain, lacking, held] = [{ ...row(), id: 1 }, { ...row('profile'), id: 2, required: [] }, { ...row('guardian'), id: 3, required: ['guardian' as const] }];
  const rows = [held, plain, lacking].map((one) => Object.assign({ required: [] }, one));
  expect(approvalOf(rows, new Set(), new Set(), '')).toEqual({ ids: [1] });
  expect(approvalOf(rows, new Set([2]), new Set(), '')).toEqual({ ids: [1, 2] });
  expect(approvalOf(rows, new Set([3]), new Set(), 'By phone')).toEqual({ ids: [3, 1], override: { guardian: 'By phone' }, overrideIds: [3] });
  // The preview found the class full for it.
  expect(approvalOf(rows, new Set([1]), new Set([1]), 'One more chair')).toEqual({ ids: [1], override: { capacity: 'One more chair' }, overrideIds: [1] });
  const cancelled = Object.assign(row('section_cancelled'), { id: 4, required: ['section_cancelled' as const] });
  expect(approvalOf([cancelled], new Set([4]), new Set(), 'Why')).toEqual({ ids: [4] });
});

test('what the sheet promises, in words', () => {
  expect(togetherText(3, 5)).toBe('3 of 5 are approved, in the order of the list.');
  expect(togetherText(2, 2)).toBe('All 2 are approved.');
  expect(promiseText({ total: 1500, emails: 5, seats: 3 })).toBe('Charges $1,500.00. 5 emails are sent, with the copies to guardians. 3 seats are taken.');
  expect(promiseText({ total: 0, emails: 1, seats: 0 })).toBe('Charges $0.00. One email is sent.');
  expect(missingText(['profile', 'documents'])).toBe('profile incomplete, documents missing');
});

afterEach(() => vi.unstubAllGlobals());

const decline = (ids: number[]) => postJson('/api/admin/enrollments/decline', { ids, reason: 'The class is full.', code: 'class_full' });

test('what earlier portions decided is kept when a later one fails', async () => {
  const ids = Array.from({ length: 450 }, (_, place) => place + 1);
  const asked: number[][] = [];
  vi.stubGlobal('fetch', async (_: string, { body }: { body: string }) => {
    const sent = (JSON.parse(body) as { ids: number[] }).ids;
    asked.push(sent);
    if (asked.length > 1) return new Response('{"message":"The disk is full."}', { status: 507, headers: { 'Content-Type': 'application/json' } });
    return Response.json({ results: sent.map((id) => ({ id, ok: true, row: { id, undo: null } })), undo: { id: 'a', until: '2026-12-01T00:01:00Z' } });
  });
  const outcome = await decideInBatches(decline, ids, { decided: {}, failures: [], undos: [] });
  expect(asked.map(({ length }) => length)).toEqual([200, 200]);
  expect(Object.keys(outcome.decided)).toHaveLength(200);
  expect(outcome.failures).toHaveLength(250);
  expect(outcome.failures[0]).toEqual({ id: 201, message: 'The disk is full.' });
  expect(outcome.undos).toHaveLength(1);
});

test('when nothing was decided at all, the failure is the whole answer', async () => {
  vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('offline')));
  const nothing: BulkOutcome = { decided: {}, failures: [], undos: [] };
  await expect(decideInBatches(decline, [1], nothing)).rejects.toThrow('could not be reached');
});
