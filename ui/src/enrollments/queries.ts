// Enrollments: the student's own, and those that wait for the office.
import { keepPreviousData, mutationOptions, queryOptions } from '@tanstack/react-query';
import { getJson, getRows, postJson } from '../api.ts';
import type { Enrollment, PendingEnrollment } from '../api-types.ts';
import { type ListView, listParameters } from '../components/useListView.ts';
import { dashboard_fresh_ms } from '../dashboard/queries.ts';
import type { components } from '../openapi.ts';

export const ownEnrollmentsQuery = queryOptions({
  queryKey: ['enrollments', 'own'],
  queryFn: ({ signal }) => getJson<Enrollment[]>('/api/students/enrollments', signal),
});

export const requestEnrollment = mutationOptions({
  mutationKey: ['enrollments', 'request'],
  mutationFn: (form: components['schemas']['EnrollmentForm']) => postJson<Enrollment>('/api/students/enrollments', form),
});

export const withdrawRequest = mutationOptions({
  mutationKey: ['enrollments', 'withdraw'],
  mutationFn: (id: number) => postJson<Enrollment>(`/api/students/enrollments/${id}/withdraw`),
});

export const pendingEnrollmentsQuery = (view: ListView) =>
  queryOptions({
    queryKey: ['enrollments', 'pending', view],
    queryFn: ({ signal }) =>
      getRows<PendingEnrollment>(`/api/admin/enrollments/pending${listParameters(view)}`, signal),
    staleTime: dashboard_fresh_ms,
    placeholderData: keepPreviousData,
  });

export const approveEnrollment = mutationOptions({
  mutationKey: ['enrollments', 'approve'],
  mutationFn: (id: number) => postJson<Enrollment>(`/api/admin/enrollments/${id}/approve`),
});
