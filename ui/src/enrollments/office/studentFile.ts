// The query of a student's file, for enrollment details and the student's page in the office.
import { queryOptions } from '@tanstack/react-query';
import { getJson } from '../../api.ts';
import { list_fresh_ms } from '../../components/useListView.ts';

/** The root key of the office's student queries. */
export const recordsKey = ['records'] as const;

export const studentFileQuery = (id: number) =>
  queryOptions({
    queryKey: [...recordsKey, 'student', id],
    queryFn: ({ signal }) => getJson(`/api/admin/students/${id}`, signal),
    staleTime: list_fresh_ms,
  });

/** What is open of a student, and ends with the account. */
export const closingQuery = (id: number) =>
  queryOptions({
    queryKey: [...recordsKey, 'student', id, 'closing'],
    queryFn: ({ signal }) => getJson(`/api/admin/students/${id}/closing`, signal),
    gcTime: 0,
  });
