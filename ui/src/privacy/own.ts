// What the signed-in student agreed to, and what they ask about their data.
import { mutationOptions, queryOptions } from '@tanstack/react-query';
import { getJson, postJson } from '../api.ts';
import type { OwnPrivacy, PrivacyRequest } from '../api-types.ts';
import type { components } from '../openapi.ts';

export const ownPrivacyQuery = queryOptions({
  queryKey: ['privacy', 'own'],
  queryFn: ({ signal }) => getJson<OwnPrivacy>('/api/students/privacy', signal),
  staleTime: 0,
});

export const askAboutPrivacy = mutationOptions({
  mutationKey: ['privacy', 'ask'],
  mutationFn: (request: components['schemas']['PrivacyRequestForm']) => postJson<PrivacyRequest>('/api/students/privacy-requests', request),
});

export const withdrawRequest = mutationOptions({
  mutationKey: ['privacy', 'withdraw'],
  mutationFn: (id: number) => postJson<PrivacyRequest>(`/api/students/privacy-requests/${id}/withdraw`),
});
