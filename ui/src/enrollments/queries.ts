// Enrollments: the student's own, and those that wait for the office.
import { keepPreviousData, mutationOptions, queryOptions } from '@tanstack/react-query';
import { getJson, getRows, postJson } from '../api.ts';
import type { DeclineCode, EnrollmentStatus, PriceChoice } from '../api-types.ts';
import { dashboard_fresh_ms, list_fresh_ms } from '../components/useListView.ts';
import { coursesQuery } from '../courses/queries.ts';
import type { components } from '../openapi.ts';
import { type EnrollmentsView, enrollmentParameters } from './office/view.ts';

export const ownEnrollmentsQuery = queryOptions({
  queryKey: ['enrollments', 'own'],
  queryFn: ({ signal }) => getJson('/api/students/enrollments', signal),
});

/** The catalogue for the portal: the list that the server wrote into a public page may be without prices. */
export const pricedCoursesQuery = queryOptions({ ...coursesQuery, queryKey: ['courses', 'priced'] });

/** What the student is charged; it changes with what becomes of the enrollments. */
export const ownFeesQuery = queryOptions({
  queryKey: [...ownEnrollmentsQuery.queryKey, 'fees'],
  queryFn: ({ signal }) => getJson('/api/students/fees', signal),
});

/** Which dates a request may name; the school's day decides. */
export const enrollmentDatesQuery = queryOptions({
  queryKey: ['enrollments', 'dates'],
  queryFn: ({ signal }) => getJson('/api/students/enrollments/dates', signal),
  staleTime: dashboard_fresh_ms,
});

export const requestEnrollment = mutationOptions({
  mutationKey: ['enrollments', 'request'],
  mutationFn: (form: components['schemas']['EnrollmentForm']) => postJson('/api/students/enrollments', form),
});

export const withdrawRequest = mutationOptions({
  mutationKey: ['enrollments', 'withdraw'],
  mutationFn: (id: number) => postJson(`/api/students/enrollments/${id}/withdraw`),
});

/** What happened to one of the student's own. */
export const enrollmentHistoryQuery = (id: number) => queryOptions({
  // Below the list's key: it is asked for anew with it.
  queryKey: [...ownEnrollmentsQuery.queryKey, id, 'history'],
  queryFn: ({ signal }) => getJson(`/api/students/enrollments/${id}/history`, signal),
});

const ownStep = (step: 'accept-place' | 'decline-place' | 'leave/cancel') => mutationOptions({
  mutationKey: ['enrollments', step],
  mutationFn: (id: number) => postJson(`/api/students/enrollments/${id}/${step}`),
});

/** A student takes the place that is kept for them, or leaves it; or stays in a course after all. */
export const acceptPlace = ownStep('accept-place');
export const declinePlace = ownStep('decline-place');
export const stayInCourse = ownStep('leave/cancel');

export const askToLeave = mutationOptions({
  mutationKey: ['enrollments', 'leave'],
  mutationFn: ({ id, reason }: { id: number; reason: string }) => postJson(`/api/students/enrollments/${id}/leave`, { reason }),
});

/** What a student would read; nothing is decided. */
export const declinePreviewQuery = (id: number, code: DeclineCode, reason: string) => queryOptions({
  queryKey: ['enrollments', 'decline-preview', id, code, reason],
  queryFn: () => postJson(`/api/admin/enrollments/${id}/decline/preview`, { code, reason }),
});

/** The office's list, in any view. */
export const officeKey = ['enrollments', 'office'] as const;

export const officeEnrollmentsQuery = (view: EnrollmentsView) =>
  queryOptions({
    queryKey: [...officeKey, view],
    queryFn: ({ signal }) =>
      getRows(`/api/admin/enrollments${enrollmentParameters(view, view.page)}`, signal),
    staleTime: dashboard_fresh_ms,
    // Rows that are shown again must not be old ones that move a moment later.
    gcTime: 0,
    refetchOnReconnect: false,
    placeholderData: keepPreviousData,
  });

/** All that one student has, newest first. */
export const studentEnrollmentsQuery = (studentId: number) =>
  queryOptions({
    queryKey: [...officeKey, 'student', studentId],
    queryFn: ({ signal }) => getRows(`/api/admin/enrollments?student=${studentId}`, signal),
    staleTime: list_fresh_ms,
  });

export const enrollStudent = mutationOptions({
  mutationKey: ['enrollments', 'enroll'],
  mutationFn: (form: components['schemas']['EnrollForm']) => postJson('/api/admin/enrollments', form),
});

export const countsKey = ['enrollments', 'counts'] as const;

export const enrollmentCountsQuery = queryOptions({
  queryKey: countsKey,
  queryFn: ({ signal }) => getJson('/api/admin/enrollments/counts', signal),
  staleTime: list_fresh_ms,
});

export const approveEnrollment = mutationOptions({
  mutationKey: ['enrollments', 'approve'],
  mutationFn: ({ id, ...approval }: { id: number; expected: EnrollmentStatus; price?: PriceChoice; override?: Record<string, string> }) =>
    postJson(`/api/admin/enrollments/${id}/approve`, approval),
});

export const declineEnrollment = mutationOptions({
  mutationKey: ['enrollments', 'decline'],
  mutationFn: ({ id, ...refusal }: { id: number; expected: EnrollmentStatus; reason: string; code: DeclineCode }) =>
    postJson(`/api/admin/enrollments/${id}/decline`, refusal),
});

export const waitlistEnrollment = (id: number, expected: EnrollmentStatus) => postJson(`/api/admin/enrollments/${id}/waitlist`, { expected });

export const undoDecision = (id: string) => postJson(`/api/admin/decisions/${id}/undo`);

export const unpricedKey = ['enrollments', 'unpriced'] as const;

/** What was approved without a price and never charged. */
export const unpricedQuery = queryOptions({
  queryKey: unpricedKey,
  queryFn: ({ signal }) => getRows('/api/admin/enrollments/unpriced', signal),
  staleTime: list_fresh_ms,
  // Rows that are shown again must not be old ones that move a moment later.
  gcTime: 0,
  refetchOnReconnect: false,
});

export const postCharge = mutationOptions({
  mutationKey: ['enrollments', 'charge'],
  mutationFn: ({ studentId, charge }: { studentId: number; charge: components['schemas']['NewCharge'] }) =>
    postJson(`/api/admin/students/${studentId}/charges`, charge),
});
