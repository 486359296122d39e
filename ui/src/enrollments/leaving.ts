// Queries of what leaving a course costs. Apart from queries.ts, as few pages need them.
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { getJson, postJson } from '../api.ts';
import { dashboard_fresh_ms, list_fresh_ms } from '../components/useListView.ts';

/** What leaving a course costs until when. */
export const leavingQuery = (portal: 'students' | 'admin', id: number) => queryOptions({
  queryKey: ['enrollments', 'leaving', portal, id],
  queryFn: ({ signal }) => getJson(`/api/${portal}/enrollments/${id}/leaving`, signal),
  staleTime: dashboard_fresh_ms,
});

/** A course with the section or the days that are chosen. */
export type QuoteRequest = { courseId: number } & ({ sectionId: number } | { startDate: string; endDate: string });

/** What leaving a course would cost, if it were asked for today. */
export const quoteQuery = (wanted: QuoteRequest) => queryOptions({
  queryKey: ['enrollments', 'quote', wanted],
  queryFn: () => postJson('/api/students/enrollments/quote', wanted),
  placeholderData: keepPreviousData,
  retry: false,
  staleTime: list_fresh_ms,
});

/** What the refund policy proposes when a student leaves on a day. */
export const proposalQuery = (id: number, effectiveOn: string, noticeOn: string | null) => queryOptions({
  queryKey: ['enrollments', 'proposal', id, effectiveOn, noticeOn],
  queryFn: () => postJson(`/api/admin/enrollments/${id}/refund-proposal`, { effectiveOn, noticeOn }),
  enabled: effectiveOn !== '',
  retry: false,
  staleTime: list_fresh_ms,
});
