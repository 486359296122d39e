// Queries of admission requests.
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { getRows } from '../api.ts';
import { type ListView, list_fresh_ms, listParameters } from '../components/useListView.ts';

export const admissionRequestsQuery = (view: ListView) =>
  queryOptions({
    queryKey: ['admissions', 'requests', view],
    queryFn: ({ signal }) => getRows(`/api/admin/admission-requests${listParameters(view)}`, signal),
    staleTime: list_fresh_ms,
    placeholderData: keepPreviousData,
  });
