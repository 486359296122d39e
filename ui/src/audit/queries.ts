// Queries of the audit trail and its hash chain.
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { getJson, getRows } from '../api.ts';
import { type AuditView, auditParameters } from './useAuditView.ts';

/** Refetched whenever it is shown, since every action adds entries. */
export const auditQuery = (view: AuditView) =>
  queryOptions({
    queryKey: ['audit', 'entries', view],
    queryFn: ({ signal }) => getRows(`/api/admin/audit?${auditParameters(view)}`, signal),
    staleTime: 0,
    placeholderData: keepPreviousData,
  });

export const auditWordsQuery = queryOptions({
  queryKey: ['audit', 'words'],
  queryFn: ({ signal }) => getJson('/api/admin/audit/words', signal),
  staleTime: 0,
});

export const chainQuery = queryOptions({
  queryKey: ['audit', 'chain'],
  queryFn: ({ signal }) => getJson('/api/admin/audit/chain', signal),
  staleTime: 0,
});
