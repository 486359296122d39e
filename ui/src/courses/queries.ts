// The catalogue: one list for the home page and its own page, with its prices for the student portal, and the office's.
import { queryOptions } from '@tanstack/react-query';
import { ApiError, getJson } from '../api.ts';
import type { ArchivedCourse } from '../api-types.ts';
import { courseKey } from './courseKey.ts';

export const coursesQuery = queryOptions({
  queryKey: ['courses'],
  queryFn: ({ signal }) => getJson('/api/courses', signal),
  // Public data: a refusal says nothing about the session.
  meta: { isPublic: true },
});

/** The course of a code, case-insensitive. */
export const courseQuery = (code: string) => queryOptions({
  queryKey: courseKey(code),
  queryFn: async ({ signal }) => {
    try {
      return await getJson(`/api/courses/${encodeURIComponent(code)}`, signal);
    } catch (error) {
      const status = error instanceof ApiError && error.status;
      if (status === 410) return (error as ApiError).current as ArchivedCourse;
      if (status === 404) return { code };
      throw error;
    }
  },
  meta: coursesQuery.meta,
});

/** As the office lists them. */
export const managedCoursesQuery = queryOptions({
  queryKey: ['courses', 'office'],
  queryFn: ({ signal }) => getJson('/api/admin/courses', signal),
});
