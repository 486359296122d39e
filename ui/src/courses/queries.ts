// The catalogue: one list for the home page, the catalogue and, later, the student portal.
import { queryOptions } from '@tanstack/react-query';
import { getJson } from '../api.ts';
import type { Course } from '../api-types.ts';

export const coursesQuery = queryOptions({
  queryKey: ['courses'],
  queryFn: ({ signal }) => getJson<Course[]>('/api/courses', signal),
});
