// The office's figures, what waits for it, and a new school's first steps.
import { mutationOptions, queryOptions } from '@tanstack/react-query';
import { getJson, postJson } from '../api.ts';

export const dashboard_fresh_ms = 5 * 60_000;

// Section 9: fresh for five minutes.
export const dashboardQuery = queryOptions({
  queryKey: ['dashboard'],
  queryFn: ({ signal }) => getJson('/api/admin/dashboard', signal),
  staleTime: dashboard_fresh_ms,
});

export const firstStepsQuery = queryOptions({
  queryKey: ['dashboard', 'first-steps'],
  queryFn: ({ signal }) => getJson('/api/admin/first-steps', signal),
  // What ticks a step is done on other pages; only the prefetch of this visit is fresh.
  staleTime: 1000,
});

export const setFirstSteps = mutationOptions({
  mutationKey: ['dashboard', 'first-steps'],
  mutationFn: (verb: 'hide' | 'show') => postJson(`/api/admin/first-steps/${verb}`),
});
