// The office's courses and their classes, and the calls that change them.
import { mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import { deleteJson, getJson, patchJson, postJson } from '../api.ts';
import type { CourseInput } from '../api-types.ts';
import { coursesQuery, managedCoursesQuery } from '../courses/queries.ts';
import type { components } from '../openapi.ts';

export const archivedCoursesQuery = queryOptions({
  queryKey: ['courses', 'archived'],
  queryFn: ({ signal }) => getJson('/api/admin/courses?archived=1', signal),
});

/** One course with its waiting list. */
export const managedCourseQuery = (id: number) => queryOptions({
  queryKey: ['courses', 'office', id],
  queryFn: ({ signal }) => getJson(`/api/admin/courses/${id}`, signal),
});

/** Students who take a course or have completed it. */
export const classListQuery = (id: number) => queryOptions({
  queryKey: ['courses', 'office', id, 'class'],
  queryFn: ({ signal }) => getJson(classListAddress(id), signal),
});

export const classListAddress = (id: number) => `/api/admin/courses/${id}/class-list` as const;

/** Creates a course, or updates the given fields of the one with this id. */
export const saveCourse = mutationOptions({
  mutationKey: ['courses', 'save'],
  mutationFn: ({ id, input }: { id: number | null; input: Partial<CourseInput> }) =>
    id === null ? postJson('/api/admin/courses', input) : patchJson(`/api/admin/courses/${id}`, input),
});

/** Restores an archived course. */
export const restoreCourse = mutationOptions({
  mutationKey: ['courses', 'restore'],
  mutationFn: (id: number) => postJson(`/api/admin/courses/${id}/restore`),
});

export type MarksEntered = components['schemas']['MarksEntered'];

/** Enters marks of a class; each row has its own result. */
export const enterMarks = mutationOptions({
  mutationKey: ['courses', 'marks'],
  mutationFn: ({ courseId, ...sheet }: { courseId: number } & components['schemas']['MarkSheet']) =>
    postJson(`/api/admin/courses/${courseId}/marks`, sheet),
});

type ClassEmail = components['schemas']['EmailToClass'];

/** Preview and number of recipients of an email to a class. */
export const previewClassEmail = (courseId: number, email: ClassEmail) =>
  postJson(`/api/admin/courses/${courseId}/emails/preview`, email);

export const writeToClass = (courseId: number, email: ClassEmail) =>
  postJson(`/api/admin/courses/${courseId}/emails`, email);

export const deleteCourse = mutationOptions({
  mutationKey: ['courses', 'delete'],
  mutationFn: (id: number) => deleteJson(`/api/admin/courses/${id}`),
});

/** Section 7: a change refetches the lists and the course's page. */
export function refreshCourses(client: QueryClient) {
  void client.invalidateQueries({ queryKey: coursesQuery.queryKey, exact: true });
  for (const name of ['featured', 'course']) void client.invalidateQueries({ queryKey: [name] });
  for (const { queryKey } of [managedCoursesQuery, archivedCoursesQuery]) void client.invalidateQueries({ queryKey });
}
