// The catalogue: one list for the home page, its own page and the student portal.
import { queryOptions } from '@tanstack/react-query';
import { getJson } from '../api.ts';
import type { Course } from '../api-types.ts';

export const coursesQuery = queryOptions({
  queryKey: ['courses'],
  queryFn: ({ signal }) => getJson<Course[]>('/api/courses', signal),
  // Anybody may read them: a refusal says nothing about a session.
  meta: { isPublic: true },
});
