// A new school's first steps.
import { mutationOptions, queryOptions } from '@tanstack/react-query';
import { getJson, postJson } from '../api.ts';

export const firstStepsQuery = queryOptions({
  queryKey: ['dashboard', 'first-steps'],
  queryFn: ({ signal }) => getJson('/api/admin/first-steps', signal),
  // Steps are completed on other pages; only this visit's prefetch is fresh.
  staleTime: 1000,
});

export const setFirstSteps = mutationOptions({
  mutationKey: ['dashboard', 'first-steps'],
  mutationFn: (verb: 'hide' | 'show') => postJson(`/api/admin/first-steps/${verb}`),
});
