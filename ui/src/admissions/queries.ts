// The list of admission requests.
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { getRows } from '../api.ts';
import { type ListView, list_fresh_ms, listParameters } from '../components/useListView.ts';

export const requestsKey = ['admissions'] as const;

export const admissionRequestsQuery = (view: ListView) =>
  queryOptions({
    queryKey: [...requestsKey, 'requests', view],
    queryFn: ({ signal }) => getRows(`/api/admin/admission-requests${listParameters(view)}`, signal),
    staleTime: list_fresh_ms,
    placeholderData: keepPreviousData,
  });

/** The whole filter as a sheet. */
export const requestsSheet = (view: ListView) => `/api/admin/admission-requests${listParameters(view)}&format=csv`;
