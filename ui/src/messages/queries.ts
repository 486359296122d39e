// Queries of the contact messages.
import { keepPreviousData, mutationOptions, queryOptions } from '@tanstack/react-query';
import { getJson, getRows, postJson } from '../api.ts';
import type { MessageMark } from '../api-types.ts';
import { type ListView, list_fresh_ms, listParameters } from '../components/useListView.ts';

export const messagesQuery = ({ q, status, page }: ListView) =>
  queryOptions({
    queryKey: ['messages', 'all', { q, status, page }],
    queryFn: ({ signal }) => getRows(`/api/admin/messages${listParameters({ q, status, page })}`, signal),
    staleTime: list_fresh_ms,
    placeholderData: keepPreviousData,
  });

/** One message, on any page of the list. */
export const messageQuery = (id: number) =>
  queryOptions({
    queryKey: ['messages', 'one', id],
    queryFn: ({ signal }) => getJson(`/api/admin/messages/${id}`, signal),
    staleTime: list_fresh_ms,
  });

export const markMessage = mutationOptions({
  mutationKey: ['messages', 'mark'],
  mutationFn: ({ id, as }: { id: number; as: MessageMark }) => postJson(`/api/admin/messages/${id}/${as}`),
});
