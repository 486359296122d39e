// Queries of invoices in the office, and what is done with them.
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { getRows } from '../../api.ts';
import { list_fresh_ms } from '../../components/useListView.ts';
import { postOnce } from '../../once.ts';
import { moneyKey } from '../moneyQueries.ts';

export const invoicesQuery = (page: number, q: string) =>
  queryOptions({
    queryKey: [...moneyKey, 'invoices', page, q],
    queryFn: ({ signal }) => getRows(`/api/admin/invoices?${new URLSearchParams({ page: String(page), q })}`, signal),
    staleTime: list_fresh_ms,
    placeholderData: keepPreviousData,
  });

type InvoiceRequest = { studentIds?: number[]; termId?: number; dueOn?: string; send: boolean };

/** What would be issued. */
export const previewInvoices = (scope: InvoiceRequest) => postOnce('preview-of-invoices', '/api/admin/invoices', { ...scope, dryRun: true });

export const issueInvoices = (key: string, scope: InvoiceRequest) => postOnce(key, '/api/admin/invoices', scope);

export const sendInvoice = (key: string, number: string) => postOnce(key, `/api/admin/invoices/${number}/send`);

export const cancelInvoice = (key: string, number: string, reason: string) => postOnce(key, `/api/admin/invoices/${number}/cancel`, { reason });

export const sendStatement = (key: string, studentId: number, period: { from: string; to: string }) =>
  postOnce(key, `/api/admin/students/${studentId}/statement`, { from: period.from || null, to: period.to || null });
