// The student's own fees.
import { queryOptions } from '@tanstack/react-query';
import { getJson } from '../api.ts';
import { ownEnrollmentsQuery } from '../enrollments/queries.ts';

/** The student's charges and payments, refetched with the enrollments. */
export const ownFeesQuery = queryOptions({
  queryKey: [...ownEnrollmentsQuery.queryKey, 'fees'],
  queryFn: ({ signal }) => getJson('/api/students/fees', signal),
});
