// A student's file, as the details of an enrollment and the student's own page in the office ask for it.
import { queryOptions } from '@tanstack/react-query';
import { getJson } from '../../api.ts';
import { list_fresh_ms } from '../../components/useListView.ts';

/** Whatever the office asks about students is below it. */
export const recordsKey = ['records'] as const;

export const studentFileQuery = (id: number) =>
  queryOptions({
    queryKey: [...recordsKey, 'student', id],
    queryFn: ({ signal }) => getJson(`/api/admin/students/${id}`, signal),
    staleTime: list_fresh_ms,
  });
