// Queries of the sent emails, and retries.
import { keepPreviousData, mutationOptions, queryOptions } from '@tanstack/react-query';
import { getRows, postJson } from '../api.ts';
import { type ListView, list_fresh_ms, listParameters } from '../components/useListView.ts';

export const mailQuery = (view: ListView) =>
  queryOptions({
    queryKey: ['mail', view],
    queryFn: ({ signal }) => getRows(`/api/admin/mail${listParameters(view)}`, signal),
    staleTime: list_fresh_ms,
    placeholderData: keepPreviousData,
  });

export const retryEmail = mutationOptions({
  mutationKey: ['mail', 'retry'],
  mutationFn: (id: number) => postJson(`/api/admin/mail/${id}/retry`),
});

export const settleEmail = mutationOptions({
  mutationKey: ['mail', 'settle'],
  mutationFn: (id: number) => postJson(`/api/admin/mail/${id}/settle`),
});

/** Retries all failed emails. */
export const retryAll = mutationOptions({
  mutationKey: ['mail', 'retry-all'],
  mutationFn: () => postJson('/api/admin/mail/retry'),
});
