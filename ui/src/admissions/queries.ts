// The list of admission requests.
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { getJson, getRows } from '../api.ts';
import { list_fresh_ms } from '../components/useListView.ts';
import { requestsParameters, type RequestsView } from './useRequestsView.ts';

export const requestsKey = ['admissions'] as const;

export const admissionRequestsQuery = (view: RequestsView) =>
  queryOptions({
    queryKey: [...requestsKey, 'requests', view],
    queryFn: ({ signal }) => getRows(`/api/admin/admission-requests${requestsParameters(view)}`, signal),
    staleTime: list_fresh_ms,
    placeholderData: keepPreviousData,
  });

/** How many requests each filter finds. */
export const requestCountsQuery = queryOptions({
  queryKey: [...requestsKey, 'counts'],
  queryFn: ({ signal }) => getJson('/api/admin/admission-requests/counts', signal),
  staleTime: list_fresh_ms,
});

/** Colleagues who can be assigned. */
export const requestAssigneesQuery = queryOptions({
  queryKey: [...requestsKey, 'assignees'],
  queryFn: ({ signal }) => getJson('/api/admin/admission-requests/assignees', signal),
});

/** The whole filter as a sheet. */
export const requestsSheet = (view: RequestsView) => `/api/admin/admission-requests${requestsParameters(view)}&format=csv`;
