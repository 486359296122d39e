// What stands in front of the student's pages, by the names their routes use.
import type { QueryClient } from '@tanstack/react-query';
import { coursesQuery } from '../courses/queries.ts';
import { ownDocumentsQuery } from '../documents/queries.ts';
import { ownEnrollmentsQuery } from '../enrollments/queries.ts';
import { guard, lobby, toLogin } from '../guards.ts';
import { sessionsQuery } from './queries.ts';

export const guards = (client: QueryClient) => ({
  dashboard: guard(client, 'student', () => [client.prefetchQuery(ownDocumentsQuery), client.prefetchQuery(ownEnrollmentsQuery)]),
  courses: guard(client, 'student', () => [client.prefetchQuery(coursesQuery), client.prefetchQuery(ownEnrollmentsQuery)]),
  account: guard(client, 'student', () => [client.prefetchQuery(sessionsQuery)]),
  lobby: lobby(client, 'student'),
  toLogin: toLogin('student'),
});
