// Queries of payments: the student's own fees, and what the office records.
import { mutationOptions, queryOptions } from '@tanstack/react-query';
import { getJson } from '../api.ts';
import { ownEnrollmentsQuery } from '../enrollments/queries.ts';
import { postOnce } from '../once.ts';
import type { components } from '../openapi.ts';

/** The student's charges and payments, refetched with the enrollments. */
export const ownFeesQuery = queryOptions({
  queryKey: [...ownEnrollmentsQuery.queryKey, 'fees'],
  queryFn: ({ signal }) => getJson('/api/students/fees', signal),
});

export const recordPayment = mutationOptions({
  mutationKey: ['payments', 'record'],
  mutationFn: ({ key, payment }: { key: string; payment: components['schemas']['PaymentForm'] }) => postOnce(key, '/api/admin/payments', payment),
});

export const reversePayment = mutationOptions({
  mutationKey: ['payments', 'reverse'],
  mutationFn: ({ key, id, reason }: { key: string; id: number; reason: string }) => postOnce(key, `/api/admin/payments/${id}/reverse`, { reason }),
});
