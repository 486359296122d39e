// The office's review: the queue, a document beside the facts of its student, and the verdicts.
import { queryOptions } from '@tanstack/react-query';
import { deleteJson, getJson, getRows, postJson, putJson } from '../../api.ts';
import type { RejectCode, RequirementInput } from '../../api-types.ts';

/** The waiting documents, oldest first; refetched whenever the queue is opened. */
export const queueQuery = queryOptions({
  queryKey: ['documents', 'queue'],
  queryFn: ({ signal }) => getRows('/api/admin/documents?status=pending_review&sort=uploaded&page=1', signal),
  staleTime: 0,
});

export const reviewQuery = (id: number) =>
  queryOptions({
    queryKey: ['documents', 'review', id],
    queryFn: ({ signal }) => getJson(`/api/admin/documents/${id}`, signal),
    staleTime: 0,
  });

export type Verdict =
  | { verb: 'accept'; expiresOn: string | null; isCompared: boolean }
  | { verb: 'reject'; code: RejectCode; text: string };

export function decideDocument(id: number, verdict: Verdict) {
  const expected = 'pending_review' as const;
  if (verdict.verb === 'reject') {
    const { code, text } = verdict;
    return postJson(`/api/admin/documents/${id}/reject`, { code, text: text.trim() || null, expected });
  }
  const { expiresOn, isCompared } = verdict;
  return postJson(`/api/admin/documents/${id}/accept`, { expiresOn, isNameCompared: isCompared, isBirthDateCompared: isCompared, expected });
}

export const reopenDocument = (id: number) => postJson(`/api/admin/documents/${id}/reopen`, {});

export const deleteDocument = (id: number, reason: string) => deleteJson(`/api/admin/documents/${id}`, { reason });

export const undoDecision = (id: string) => postJson(`/api/admin/decisions/${id}/undo`);

export const lookAt = (id: number) => postJson(`/api/admin/documents/${id}/looking`);

/** The response has no body, and a query takes `undefined` for a failure. */
export const documentProof = () => getJson('/api/admin/documents/proof').then(() => true);

export const requirementsQuery = queryOptions({
  queryKey: ['documents', 'requirements'],
  queryFn: ({ signal }) => getJson('/api/admin/document-requirements', signal),
  staleTime: 0,
});

export const replaceRequirements = (rows: RequirementInput[]) => putJson('/api/admin/document-requirements', rows);
