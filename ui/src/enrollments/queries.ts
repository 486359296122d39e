// Enrollments: the student's own, and those that wait for the office.
import { keepPreviousData, mutationOptions, queryOptions } from '@tanstack/react-query';
import { getJson, getRows, postJson } from '../api.ts';
import type { DeclineCode, Enrollment, PendingEnrollment, PriceChoice, UnpricedEnrollment } from '../api-types.ts';
import { type ListView, list_fresh_ms, listParameters } from '../components/useListView.ts';
import { dashboard_fresh_ms } from '../dashboard/queries.ts';
import type { components } from '../openapi.ts';

export const ownEnrollmentsQuery = queryOptions({
  queryKey: ['enrollments', 'own'],
  queryFn: ({ signal }) => getJson<Enrollment[]>('/api/students/enrollments', signal),
});

/** Which dates a request may name; the school's day decides. */
export const enrollmentDatesQuery = queryOptions({
  queryKey: ['enrollments', 'dates'],
  queryFn: ({ signal }) => getJson<components['schemas']['EnrollmentDates']>('/api/students/enrollments/dates', signal),
  staleTime: dashboard_fresh_ms,
});

export const requestEnrollment = mutationOptions({
  mutationKey: ['enrollments', 'request'],
  mutationFn: (form: components['schemas']['EnrollmentForm']) => postJson<Enrollment>('/api/students/enrollments', form),
});

export const withdrawRequest = mutationOptions({
  mutationKey: ['enrollments', 'withdraw'],
  mutationFn: (id: number) => postJson<Enrollment>(`/api/students/enrollments/${id}/withdraw`),
});

/** The requests that wait, in any view. */
export const pendingKey = ['enrollments', 'pending'] as const;

export const pendingEnrollmentsQuery = (view: ListView) =>
  queryOptions({
    queryKey: [...pendingKey, view],
    queryFn: ({ signal }) =>
      getRows<PendingEnrollment>(`/api/admin/enrollments/pending${listParameters(view)}`, signal),
    staleTime: dashboard_fresh_ms,
    // Rows that are shown again must not be old ones that move a moment later.
    gcTime: 0,
    refetchOnReconnect: false,
    placeholderData: keepPreviousData,
  });

export const approveEnrollment = mutationOptions({
  mutationKey: ['enrollments', 'approve'],
  mutationFn: ({ id, price }: { id: number; price?: PriceChoice }) =>
    postJson<components['schemas']['Decided']>(`/api/admin/enrollments/${id}/approve`, { expected: 'pending', price }),
});

export const declineEnrollment = mutationOptions({
  mutationKey: ['enrollments', 'decline'],
  mutationFn: ({ id, ...refusal }: { id: number; reason: string; code: DeclineCode }) =>
    postJson<components['schemas']['Decided']>(`/api/admin/enrollments/${id}/decline`, { expected: 'pending', ...refusal }),
});

export const undoDecision = mutationOptions({
  mutationKey: ['enrollments', 'undo'],
  mutationFn: (id: string) => postJson<components['schemas']['Undone']>(`/api/admin/decisions/${id}/undo`),
});

export const unpricedKey = ['enrollments', 'unpriced'] as const;

/** What was approved without a price and never charged. */
export const unpricedQuery = queryOptions({
  queryKey: unpricedKey,
  queryFn: ({ signal }) => getRows<UnpricedEnrollment>('/api/admin/enrollments/unpriced', signal),
  staleTime: list_fresh_ms,
  // Rows that are shown again must not be old ones that move a moment later.
  gcTime: 0,
  refetchOnReconnect: false,
});

export const postCharge = mutationOptions({
  mutationKey: ['enrollments', 'charge'],
  mutationFn: ({ studentId, charge }: { studentId: number; charge: components['schemas']['NewCharge'] }) =>
    postJson<Enrollment>(`/api/admin/students/${studentId}/charges`, charge),
});
