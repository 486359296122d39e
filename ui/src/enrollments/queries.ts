// Queries of enrollments, the student's own and the office's.
import { keepPreviousData, mutationOptions, queryOptions } from '@tanstack/react-query';
import { getJson, getRows, postJson } from '../api.ts';
import { postOnce } from '../once.ts';
import type { DeclineCode, EnrollmentStatus, PriceChoice } from '../api-types.ts';
import { dashboard_fresh_ms, list_fresh_ms } from '../components/useListView.ts';
import { coursesQuery } from '../courses/queries.ts';
import type { components } from '../openapi.ts';
import { type EnrollmentsView, enrollmentParameters } from './office/view.ts';

export const ownEnrollmentsQuery = queryOptions({
  queryKey: ['enrollments', 'own'],
  queryFn: ({ signal }) => getJson('/api/students/enrollments', signal),
});

/** The portal's catalogue: the list embedded in public pages may lack prices. */
export const pricedCoursesQuery = queryOptions({ ...coursesQuery, queryKey: ['courses', 'priced'] });

/** The sections of a course that can be asked for, with their prices. */
export const sectionsQuery = (code: string) => queryOptions({
  queryKey: ['courses', 'priced', code, 'sections'],
  queryFn: async ({ signal }) => (await getJson(`/api/courses/${encodeURIComponent(code)}`, signal)).sections,
});

/** Allowed dates of a request, by the school's date. */
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

/** The history of one of the student's enrollments. */
export const enrollmentHistoryQuery = (id: number) => queryOptions({
  // Below the list's key, to be refetched with it.
  queryKey: [...ownEnrollmentsQuery.queryKey, id, 'history'],
  queryFn: ({ signal }) => getJson(`/api/students/enrollments/${id}/history`, signal),
});

const ownStep = (step: 'accept-place' | 'decline-place' | 'leave/cancel') => mutationOptions({
  mutationKey: ['enrollments', step],
  mutationFn: (id: number) => postJson(`/api/students/enrollments/${id}/${step}`),
});

/** Accepts or declines an offered place, or takes back a request to leave. */
export const acceptPlace = ownStep('accept-place');
export const declinePlace = ownStep('decline-place');
export const stayInCourse = ownStep('leave/cancel');

export const askToLeave = mutationOptions({
  mutationKey: ['enrollments', 'leave'],
  mutationFn: ({ id, reason }: { id: number; reason: string }) => postJson(`/api/students/enrollments/${id}/leave`, { reason }),
});

/** Previews the email of a decline; decides nothing. */
export const declinePreviewQuery = (id: number, code: DeclineCode, reason: string) => queryOptions({
  queryKey: ['enrollments', 'decline-preview', id, code, reason],
  queryFn: () => postJson(`/api/admin/enrollments/${id}/decline/preview`, { code, reason }),
});

/** Key of the office's list in any view. */
export const officeKey = ['enrollments', 'office'] as const;

export const officeEnrollmentsQuery = (view: EnrollmentsView) =>
  queryOptions({
    queryKey: [...officeKey, view],
    queryFn: ({ signal }) =>
      getRows(`/api/admin/enrollments${enrollmentParameters(view, view.page)}`, signal),
    staleTime: dashboard_fresh_ms,
    // Outdated rows must not be shown again and then move; a moment is left between the prefetch and the page.
    gcTime: 1_000,
    refetchOnReconnect: false,
    placeholderData: keepPreviousData,
  });

/** All enrollments of a student, newest first. */
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

/** Enrollments approved without a price and not charged yet. */
export const unpricedQuery = queryOptions({
  queryKey: unpricedKey,
  queryFn: ({ signal }) => getRows('/api/admin/enrollments/unpriced', signal),
  staleTime: list_fresh_ms,
  // Never show cached rows that would move a moment later.
  gcTime: 0,
  refetchOnReconnect: false,
});

/** Charges enrollments that have no price: one that has one by now is refused in its result. */
export const postCharges = mutationOptions({
  mutationKey: ['enrollments', 'charge'],
  mutationFn: ({ key, rows }: { key: string; rows: components['schemas']['UnpricedCharge'][] }) => postOnce(key, '/api/admin/charges', { rows }),
});

/** The student's classes of a date's week. */
export const weekQuery = (date: string) => queryOptions({
  queryKey: [...ownEnrollmentsQuery.queryKey, 'week', date],
  queryFn: ({ signal }) => getJson(`/api/students/week?date=${date}`, signal),
});

export const calendarQuery = queryOptions({
  queryKey: ['enrollments', 'calendar'],
  queryFn: ({ signal }) => getJson('/api/students/calendar', signal),
});

export const renewCalendar = () => postJson('/api/students/calendar/renew');

/** A course's sections in the office. */
export const officeSectionsQuery = (courseId: number) => queryOptions({
  queryKey: ['sections', 'course', courseId],
  queryFn: ({ signal }) => getJson(`/api/admin/sections?course=${courseId}`, signal),
  staleTime: list_fresh_ms,
});

export const transferEnrollment = (id: number, body: components['schemas']['TransferForm']) => postJson(`/api/admin/enrollments/${id}/transfer`, body);
