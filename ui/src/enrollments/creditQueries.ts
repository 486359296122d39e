// What a student has earned, and what courses ask for; fetched again with the enrollments.
import { queryOptions } from '@tanstack/react-query';
import { getJson } from '../api.ts';
import { ownEnrollmentsQuery } from './queries.ts';

/** The sum of the student's credits, and what other schools gave. */
export const ownCreditsQuery = queryOptions({
  queryKey: [...ownEnrollmentsQuery.queryKey, 'credits'],
  queryFn: ({ signal }) => getJson('/api/students/credits', signal),
});

/** What the courses that are offered ask for, by course, and what the student has of it. */
export const ownPrerequisitesQuery = queryOptions({
  queryKey: [...ownEnrollmentsQuery.queryKey, 'prerequisites'],
  queryFn: ({ signal }) => getJson('/api/students/prerequisites', signal),
  select: (all) => new Map(all.map(({ courseId, ...check }) => [courseId, check])),
});
