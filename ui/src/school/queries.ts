// The school's own facts: asked for once, before anything is drawn.
import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { getJson } from '../api.ts';
import type { School } from '../api-types.ts';

export const schoolQuery = queryOptions({
  queryKey: ['school'],
  queryFn: ({ signal }) => getJson('/api/school', signal),
  gcTime: Infinity,
});

/** The school. The root route has loaded it, so this never waits. */
export function useSchool(): School {
  return useSuspenseQuery(schoolQuery).data;
}
