// The school's own facts: asked for once, before anything is drawn.
import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { getJson } from '../api.ts';
import type { School, TextKind } from '../api-types.ts';

export const schoolQuery = queryOptions({
  queryKey: ['school'],
  queryFn: ({ signal }) => getJson('/api/school', signal),
  gcTime: Infinity,
});

/** A text in force, with its words. */
export const textQuery = (kind: TextKind) =>
  queryOptions({
    queryKey: ['text', kind],
    queryFn: ({ signal }) => getJson(`/api/texts/${kind as string}`, signal),
  });

/** The school. The root route has loaded it, so this never waits. */
export function useSchool(): School {
  return useSuspenseQuery(schoolQuery).data;
}
