// Queries of the school's money in the office, and what is recorded.
import { keepPreviousData, mutationOptions, queryOptions } from '@tanstack/react-query';
import { getJson, getRows, postJson, wire } from '../api.ts';
import { list_fresh_ms } from '../components/useListView.ts';
import type { Address, AnswerOf, BodyOf } from '../endpoints.ts';
import { recordsKey } from '../enrollments/office/studentFile.ts';
import { postOnce } from '../once.ts';
import type { components } from '../openapi.ts';

/** The root key of the school's money. */
export const moneyKey = ['money'] as const;

export type BalancesView = { filter: string; q: string; sort: string; page: number; asOf: string };

/** `all` is every row without pages. */
export function balancesParameters({ filter, q, sort, page, asOf }: BalancesView, format?: 'csv' | 'all'): string {
  const parameters = new URLSearchParams(format === 'csv' ? { format } : format === 'all' ? {} : { page: String(page) });
  for (const [name, value] of Object.entries({ filter, q: q.trim(), sort, asOf })) if (value) parameters.set(name, value);
  return String(parameters);
}

export const summaryQuery = (asOf: string) =>
  queryOptions({
    queryKey: [...moneyKey, 'summary', asOf],
    queryFn: ({ signal }) => getJson(`/api/admin/money/summary?asOf=${asOf}`, signal),
    staleTime: list_fresh_ms,
    placeholderData: keepPreviousData,
  });

export const balancesQuery = (view: BalancesView) =>
  queryOptions({
    queryKey: [...moneyKey, 'balances', view],
    queryFn: ({ signal }) => getRows(`/api/admin/money/balances?${balancesParameters(view)}`, signal),
    staleTime: list_fresh_ms,
    placeholderData: keepPreviousData,
  });

export const paymentsQuery = (page: number, q: string, method: string) =>
  queryOptions({
    queryKey: [...moneyKey, 'payments', page, q, method],
    queryFn: ({ signal }) => getRows(`/api/admin/payments?${new URLSearchParams({ page: String(page), q, method })}`, signal),
    staleTime: list_fresh_ms,
    placeholderData: keepPreviousData,
  });

/** What was received on each day between two. */
export const totalsQuery = (from: string, to: string) =>
  queryOptions({
    queryKey: [...moneyKey, 'totals', from, to],
    queryFn: ({ signal }) => getJson(`/api/admin/payments/totals?from=${from}&to=${to}`, signal),
    staleTime: list_fresh_ms,
  });

/** What fell due and what was received in each month between two days'. */
export const monthsQuery = (from: string, to: string) =>
  queryOptions({
    queryKey: [...moneyKey, 'months', from, to],
    queryFn: ({ signal }) => getJson(`/api/admin/money/months?from=${from}&to=${to}`, signal),
    staleTime: list_fresh_ms,
  });

export const ledgerQuery = (studentId: number) =>
  queryOptions({
    queryKey: [...recordsKey, 'ledger', studentId],
    queryFn: ({ signal }) => getJson(`/api/admin/students/${studentId}/ledger`, signal),
    staleTime: list_fresh_ms,
  });

export const policiesQuery = queryOptions({
  queryKey: [...moneyKey, 'policies'],
  queryFn: ({ signal }) => getJson('/api/admin/refund-policies', signal),
  staleTime: list_fresh_ms,
});

export const savePolicies = mutationOptions({
  mutationKey: ['policies', 'save'],
  mutationFn: ({ key, policies }: { key: string; policies: components['schemas']['RefundPoliciesForm']['policies'] }) => putOnce(key, '/api/admin/refund-policies', { policies }),
});

export const refundsDueQuery = (page: number, q: string) =>
  queryOptions({
    queryKey: [...moneyKey, 'refunds-due', page, q],
    queryFn: ({ signal }) => getRows(`/api/admin/money/refunds-due?${new URLSearchParams({ page: String(page), q })}`, signal),
    staleTime: list_fresh_ms,
    placeholderData: keepPreviousData,
  });

export const moneySettingsQuery = queryOptions({
  queryKey: [...moneyKey, 'settings'],
  queryFn: ({ signal }) => getJson('/api/admin/settings/money', signal),
  staleTime: list_fresh_ms,
});

export const remindersQuery = (page: number, q: string) =>
  queryOptions({
    queryKey: [...moneyKey, 'reminders-next', page, q],
    queryFn: ({ signal }) => getRows(`/api/admin/reminders?${new URLSearchParams({ page: String(page), q })}`, signal),
    staleTime: list_fresh_ms,
    placeholderData: keepPreviousData,
  });

export const skipReminder = mutationOptions({
  mutationKey: ['reminders', 'skip'],
  mutationFn: ({ key, id, on, reason }: { key: string; id: number; on: string; reason: string }) => postOnce(key, `/api/admin/students/${id}/reminders/skip`, { on, reason }),
});

export const unskipReminder = ({ key, id, on }: { key: string; id: number; on: string }) => postOnce(key, `/api/admin/students/${id}/reminders/unskip`, { on });

/** What a reminder of some students would be. */
export const reminderPreviewQuery = (ids: number[]) =>
  queryOptions({
    queryKey: [...moneyKey, 'reminders', ...ids],
    queryFn: () => postJson('/api/admin/reminders', { studentIds: ids, dryRun: true }),
    staleTime: 0,
    retry: false,
  });

export const remind = mutationOptions({
  mutationKey: ['reminders', 'send'],
  mutationFn: ({ key, ids }: { key: string; ids: number[] }) => postOnce(key, '/api/admin/reminders', { studentIds: ids }),
});

export const setReminders = mutationOptions({
  mutationKey: ['reminders', 'mode'],
  mutationFn: ({ key, id, ...mode }: { key: string; id: number } & components['schemas']['ReminderModeForm']) => putOnce(key, `/api/admin/students/${id}/reminders`, mode),
});

/** Everything that shows money. */
export const moneyKeys = [moneyKey, recordsKey, ['dashboard'], ['enrollments'], ['admissions']] as const;

/** Notes when payments were brought to the bank; null takes it back. */
export const markDeposited = ({ key, ids, on }: { key: string; ids: number[]; on: string | null }) => postOnce(key, '/api/admin/payments/deposited', { ids, on });

export const recordPayment = mutationOptions({
  mutationKey: ['payments', 'record'],
  mutationFn: ({ key, payment }: { key: string; payment: components['schemas']['PaymentForm'] }) => postOnce(key, '/api/admin/payments', payment),
});

export const movePayment = mutationOptions({
  mutationKey: ['payments', 'move'],
  mutationFn: ({ key, id, body }: { key: string; id: number; body: components['schemas']['MoveForm'] }) => postOnce(key, `/api/admin/payments/${id}/move`, body),
});

export const reversePayment = mutationOptions({
  mutationKey: ['payments', 'reverse'],
  mutationFn: ({ key, id, reason }: { key: string; id: number; reason: string }) => postOnce(key, `/api/admin/payments/${id}/reverse`, { reason }),
});

/** Changes something under a key, as `postOnce` posts it. */
export async function putOnce<P extends string>(key: string, path: Address<'put', P>, ...[body]: BodyOf<'put', P>): Promise<AnswerOf<'put', P>> {
  const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': key };
  return (await wire.request<AnswerOf<'put', P>>(path, { method: 'PUT', headers, body: JSON.stringify(body) })).body;
}
