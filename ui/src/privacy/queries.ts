// Queries of the office's privacy page.
import { mutationOptions, queryOptions } from '@tanstack/react-query';
import { getRows, getJson, patchJson, postJson } from '../api.ts';
import type { RetentionClass } from '../api-types.ts';
import type { components } from '../openapi.ts';

type Schemas = components['schemas'];

export const privacyKey = ['privacy'];

export const requestsQuery = queryOptions({
  queryKey: [...privacyKey, 'requests'],
  queryFn: ({ signal }) => getRows('/api/admin/privacy-requests', signal),
  staleTime: 0,
});

export const noteRequest = mutationOptions({
  mutationKey: [...privacyKey, 'note'],
  mutationFn: (request: Schemas['NotedRequest']) => postJson('/api/admin/privacy-requests', request),
});

export const decideRequest = mutationOptions({
  mutationKey: [...privacyKey, 'decide'],
  mutationFn: ({ id, ...decided }: Schemas['DecidedRequest'] & { id: number }) =>
    patchJson(`/api/admin/privacy-requests/${id}`, decided),
});

export const consentCountsQuery = queryOptions({
  queryKey: [...privacyKey, 'consents'],
  queryFn: ({ signal }) => getJson('/api/admin/consents', signal),
  staleTime: 0,
});

export const retentionQuery = queryOptions({
  queryKey: [...privacyKey, 'retention'],
  queryFn: ({ signal }) => getJson('/api/admin/retention', signal),
  staleTime: 0,
});

export const confirmDeletion = mutationOptions({
  mutationKey: [...privacyKey, 'confirm'],
  mutationFn: ({ of, count }: { of: RetentionClass; count: number }) =>
    postJson(`/api/admin/retention/${of as string}/confirm`, { count }),
});

export const holdProposal = mutationOptions({
  mutationKey: [...privacyKey, 'hold'],
  mutationFn: ({ id, reason }: { id: number; reason: string }) => postJson(`/api/admin/retention/proposals/${id}/hold`, { reason }),
});

export const releaseProposal = mutationOptions({
  mutationKey: [...privacyKey, 'release'],
  mutationFn: (id: number) => postJson(`/api/admin/retention/proposals/${id}/release`),
});

export const addRule = mutationOptions({
  mutationKey: [...privacyKey, 'rule'],
  mutationFn: (rule: Schemas['NewRetentionRule']) => postJson('/api/admin/retention', rule),
});

export const breachesQuery = queryOptions({
  queryKey: [...privacyKey, 'breaches'],
  queryFn: ({ signal }) => getRows('/api/admin/breaches', signal),
  staleTime: 0,
});

export const saveBreach = mutationOptions({
  mutationKey: [...privacyKey, 'breach'],
  mutationFn: ({ id, ...breach }: Schemas['BreachForm'] & { id?: number }) =>
    id === undefined ? postJson('/api/admin/breaches', breach) : patchJson(`/api/admin/breaches/${id}`, breach),
});
