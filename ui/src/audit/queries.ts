// Who saw and changed what in the office, and whether the trail of it is whole.
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { getJson, getRows } from '../api.ts';
import { type AuditView, auditParameters } from './useAuditView.ts';

/** What is done adds to it: asked for anew whenever it is shown. */
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
