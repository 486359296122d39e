// The school's facts, loaded once before the first render.
import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { getJson } from '../api.ts';
import type { School } from '../api-types.ts';

export const schoolQuery = queryOptions({
  queryKey: ['school'],
  queryFn: ({ signal }) => getJson('/api/school', signal),
  gcTime: Infinity,
});

/** The school, already loaded by the root route. */
export function useSchool(): School {
  return useSuspenseQuery(schoolQuery).data;
}
