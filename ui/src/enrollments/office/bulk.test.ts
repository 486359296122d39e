import { afterEach, expect, test, vi } from 'vitest';
import type { OfficeEnrollment, Requirement } from '../../api-types.ts';
import { postJson } from '../../api.ts';
import { decideInBatches, missingText, type BulkOutcome, readinessText } from './bulk.ts';

const row = (...missing: Requirement[]) => ({ missing }) as OfficeEnrollment;

test('a selection is summed up by its missing items', () => {
  expect(readinessText([row(), row()])).toBe('All 2 are ready.');
  expect(readinessText([row(), row('guardian'), row('guardian', 'documents'), row('capacity')])).toBe(
    '1 of 4 is ready. Of the others: 2 without a guardian’s confirmation, 1 without all documents, 1 for a full class.',
  );
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
