// Queries of credits and prerequisite checks, refetched with the enrollments.
import { queryOptions } from '@tanstack/react-query';
import { getJson } from '../api.ts';
import { ownEnrollmentsQuery } from './queries.ts';

/** The student's credit total, and external credits. */
export const ownCreditsQuery = queryOptions({
  queryKey: [...ownEnrollmentsQuery.queryKey, 'credits'],
  queryFn: ({ signal }) => getJson('/api/students/credits', signal),
});

/** Prerequisite checks of the offered courses, by course id. */
export const ownPrerequisitesQuery = queryOptions({
  queryKey: [...ownEnrollmentsQuery.queryKey, 'prerequisites'],
  queryFn: ({ signal }) => getJson('/api/students/prerequisites', signal),
  select: (all) => new Map(all.map(({ courseId, ...check }) => [courseId, check])),
});
