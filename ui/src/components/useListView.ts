// A list's search, status filter and page, kept in the address.
import { typing_pause_ms, useUrlView } from './useUrlView.ts';

/**
 * Lists that others fill are refetched whenever they are opened. (Section 9: data is never stale; but a new message
 * must not wait for a reload.)
 */
export const list_fresh_ms = 10_000;

/** Section 9: dashboard data is fresh for five minutes. */
export const dashboard_fresh_ms = 5 * 60_000;

/** Rows per page, as the server sends them. */
export const rows_per_page = 25;

export type ListView = { q: string; status: string; page: number };

export function useListView() {
  const [view, show] = useUrlView<ListView>({ read: readListView, write });
  return {
    view,
    search: (q: string) => show({ ...view, q, page: 1 }, typing_pause_ms),
    filter: (status: string) => show({ ...view, status, page: 1 }),
    turnTo: (page: number) => show({ ...view, page }),
  };
}

/** Query string of this view. */
export function listParameters({ q, status, page }: ListView): `?${string}` {
  const parameters = new URLSearchParams({ page: String(page) });
  if (q.trim()) parameters.set('q', q.trim());
  if (status) parameters.set('status', status);
  return `?${parameters}`;
}

export function pageCount(total: number): number {
  return Math.max(1, Math.ceil(total / rows_per_page));
}

export function readListView(parameters: URLSearchParams): ListView {
  const page = Number(parameters.get('page'));
  return {
    q: parameters.get('q') ?? '',
    status: parameters.get('status') ?? '',
    page: Number.isInteger(page) && page > 0 ? page : 1,
  };
}

function write({ q, status, page }: ListView): Record<string, string> {
  return { ...(q.trim() && { q: q.trim() }), ...(status && { status }), ...(page > 1 && { page: String(page) }) };
}
