// The query of the office's figures and to-do counts, shared by the dashboard, the navigation and the mail page.
import { queryOptions } from '@tanstack/react-query';
import { getJson } from '../api.ts';
import { dashboard_fresh_ms } from '../components/useListView.ts';

export const dashboardQuery = queryOptions({
  queryKey: ['dashboard'],
  queryFn: ({ signal }) => getJson('/api/admin/dashboard', signal),
  staleTime: dashboard_fresh_ms,
});

export const waitingQuery = queryOptions({
  queryKey: ['dashboard', 'waiting'],
  queryFn: ({ signal }) => getJson('/api/admin/waiting', signal),
  staleTime: 60_000,
});
