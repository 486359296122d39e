// The catalogue: one list for the home page, the catalogue and the student portal, and the
// office's own, with the calls that change it.
import { mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import { deleteJson, getJson, patchJson, postJson } from '../api.ts';
import type { Course, CourseInput } from '../api-types.ts';

export const coursesQuery = queryOptions({
  queryKey: ['courses'],
  queryFn: ({ signal }) => getJson<Course[]>('/api/courses', signal),
  // Anybody may read them: a refusal says nothing about a session.
  meta: { isPublic: true },
});

export const managedCoursesQuery = queryOptions({
  queryKey: ['courses', 'office'],
  queryFn: ({ signal }) => getJson<Course[]>('/api/admin/courses', signal),
});

/** Adds a course, or changes the fields that are sent of the one with this id. */
export const saveCourse = mutationOptions({
  mutationKey: ['courses', 'save'],
  mutationFn: ({ id, input }: { id: number | null; input: Partial<CourseInput> }) =>
    id === null ? postJson<Course>('/api/admin/courses', input) : patchJson<Course>(`/api/admin/courses/${id}`, input),
});

export const deleteCourse = mutationOptions({
  mutationKey: ['courses', 'delete'],
  mutationFn: (id: number) => deleteJson<void>(`/api/admin/courses/${id}`),
});

/** Section 7: after a change both lists are asked for again, and nothing else is. */
export function refreshCourses(client: QueryClient) {
  for (const { queryKey } of [managedCoursesQuery, coursesQuery]) void client.invalidateQueries({ queryKey, exact: true });
}
