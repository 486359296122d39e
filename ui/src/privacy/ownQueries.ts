// Queries of the student's consents and privacy requests.
import { mutationOptions, queryOptions } from '@tanstack/react-query';
import { getJson, postJson } from '../api.ts';
import type { components } from '../openapi.ts';

export const ownPrivacyQuery = queryOptions({
  queryKey: ['privacy', 'own'],
  queryFn: ({ signal }) => getJson('/api/students/privacy', signal),
  staleTime: 0,
});

export const askAboutPrivacy = mutationOptions({
  mutationKey: ['privacy', 'ask'],
  mutationFn: (request: components['schemas']['PrivacyRequestForm']) => postJson('/api/students/privacy-requests', request),
});

export const withdrawRequest = mutationOptions({
  mutationKey: ['privacy', 'withdraw'],
  mutationFn: (id: number) => postJson(`/api/students/privacy-requests/${id}/withdraw`),
});
