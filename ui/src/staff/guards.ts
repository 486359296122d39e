// What stands in front of the office's pages, by the names their routes use.
import type { QueryClient } from '@tanstack/react-query';
import { admissionRequestsQuery } from '../admissions/queries.ts';
import { readListView } from '../components/useListView.ts';
import { managedCoursesQuery } from '../courses/queries.ts';
import { dashboardQuery } from '../dashboard/queries.ts';
import { allDocumentsQuery } from '../documents/queries.ts';
import { pendingEnrollmentsQuery, unpricedQuery } from '../enrollments/queries.ts';
import { type Ask, guard, lobby, toLogin } from '../guards.ts';
import { mailQuery } from '../mail/queries.ts';
import { messagesQuery } from '../messages/queries.ts';
import { readMessagesView } from '../messages/useMessagesView.ts';
import { identityChangesQuery } from '../students/identity.ts';
import { sessionsQuery, userQuery } from './queries.ts';
import type { Duty } from './sections.ts';

export const guards = (client: QueryClient) => {
  /** What a role may not read is not asked for. */
  const asWith = (duty: Duty, ask: Ask): Ask => (parameters) =>
    client.getQueryData(userQuery.queryKey)?.duties.includes(duty) ? ask(parameters) : [];

  return {
    dashboard: guard(client, 'staff', (parameters) => [
      client.prefetchQuery(dashboardQuery),
      client.prefetchQuery(pendingEnrollmentsQuery(readListView(parameters))),
    ]),
    courses: guard(client, 'staff', () => [client.prefetchQuery(managedCoursesQuery)]),
    documents: guard(client, 'staff', asWith('documents', (parameters) => [client.prefetchQuery(allDocumentsQuery(readListView(parameters)))])),
    messages: guard(client, 'staff', asWith('messages', (parameters) => [client.prefetchQuery(messagesQuery(readMessagesView(parameters)))])),
    mail: guard(client, 'staff', asWith('mail', (parameters) => [client.prefetchQuery(mailQuery(readListView(parameters)))])),
    requests: guard(client, 'staff', asWith('admissions', (parameters) => [client.prefetchQuery(admissionRequestsQuery(readListView(parameters)))])),
    charges: guard(client, 'staff', () => [client.prefetchQuery(unpricedQuery)]),
    identityChanges: guard(client, 'staff', asWith('enrollments', () => [client.prefetchQuery(identityChangesQuery)])),
    account: guard(client, 'staff', () => [client.prefetchQuery(sessionsQuery)]),
    lobby: lobby(client, 'staff'),
    toLogin: toLogin('staff'),
  };
};
