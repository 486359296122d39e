// What waits for the office: asked for by the dashboard and the navigation, once for both.
import { queryOptions } from '@tanstack/react-query';
import { getJson } from '../api.ts';

export const waitingQuery = queryOptions({
  queryKey: ['dashboard', 'waiting'],
  queryFn: ({ signal }) => getJson('/api/admin/waiting', signal),
  staleTime: 60_000,
});
