// The office's figures. Section 9: fresh for five minutes.
import { queryOptions } from '@tanstack/react-query';
import { getJson } from '../api.ts';

export const dashboard_fresh_ms = 5 * 60_000;

export const dashboardQuery = queryOptions({
  queryKey: ['dashboard'],
  queryFn: ({ signal }) => getJson('/api/admin/dashboard', signal),
  staleTime: dashboard_fresh_ms,
});
