// The view of the enrollment list: tab, search, filters, order and page, kept in the address.
import type { EnrollmentStatus } from '../../api-types.ts';
import { typing_pause_ms, useUrlView } from '../../components/useUrlView.ts';
import { readGrade } from '../../courses/grades.ts';
import type { components } from '../../openapi.ts';

type EnrollmentCounts = components['schemas']['EnrollmentCounts'];

type Scope = { label: string; count: keyof EnrollmentCounts } & ({ status: readonly EnrollmentStatus[] } | { due: 'ended' | 'leave' | 'transfer' | 'ending' | 'mark' });

/** The tabs with their query parameters. */
export const tabs = {
  waiting: { label: 'Waiting', count: 'pending', status: ['pending'] },
  waitlisted: { label: 'Waitlisted', count: 'waitlisted', status: ['waitlisted'] },
  over: { label: 'Too late', count: 'endedRequests', due: 'ended' },
  active: { label: 'Active', count: 'active', status: ['active'] },
  leaving: { label: 'Leaving', count: 'leaving', due: 'leave' },
  transfer: { label: 'To transfer', count: 'transferring', due: 'transfer' },
  ending: { label: 'Ending soon', count: 'ending', due: 'ending' },
  mark: { label: 'Needs a mark', count: 'needsMark', due: 'mark' },
  ended: { label: 'Ended', count: 'ended', status: ['completed', 'withdrawn', 'declined'] },
} as const satisfies Record<string, Scope>;

export type TabName = keyof typeof tabs;

export const tabNames = Object.keys(tabs) as TabName[];

export type EnrollmentsView = { tab: TabName; q: string; grade: string; term: string; isReady: boolean; sort: string; page: number };

export const firstView: EnrollmentsView = { tab: 'waiting', q: '', grade: '', term: '', isReady: false, sort: '', page: 1 };

/** Sort keys; with a hyphen, descending. */
const sorts = /^-?(created|waitlisted|decided|start|end|student|course)$/;

export function readEnrollmentsView(parameters: URLSearchParams): EnrollmentsView {
  const page = Number(parameters.get('page'));
  const tab = parameters.get('tab');
  return {
    tab: tabNames.find((name) => name === tab) ?? 'waiting',
    q: parameters.get('q') ?? '',
    grade: String(readGrade(parameters.get('grade')) ?? ''),
    term: /^\d{4}-(0[1-9]|1[0-2])$/.exec(parameters.get('term') ?? '')?.[0] ?? '',
    isReady: parameters.get('ready') === '1',
    sort: sorts.exec(parameters.get('sort') ?? '')?.[0] ?? '',
    page: Number.isInteger(page) && page > 0 ? page : 1,
  };
}

function write({ tab, q, grade, term, isReady, sort, page }: EnrollmentsView): Record<string, string> {
  return {
    ...(tab !== 'waiting' && { tab }),
    ...(q.trim() && { q: q.trim() }),
    ...(grade && { grade }),
    ...(term && { term }),
    ...(isReady && { ready: '1' }),
    ...(sort && { sort }),
    ...(page > 1 && { page: String(page) }),
  };
}

/** The address of a view. */
export function searchOf(view: EnrollmentsView): string {
  const parameters = new URLSearchParams(write(view)).toString();
  return parameters && `?${parameters}`;
}

/** Query parameters; without a page, for all rows. */
export function enrollmentParameters(view: EnrollmentsView, page?: number): `?${string}` {
  const scope: Scope = tabs[view.tab];
  const parameters = new URLSearchParams({
    ...('due' in scope ? { due: scope.due } : { status: scope.status.join(',') }),
    ...write({ ...view, tab: 'waiting', isReady: view.isReady && view.tab === 'waiting', page: 1 }),
  });
  if (page) parameters.set('page', String(page));
  return `?${parameters}`;
}

export function useEnrollmentsView() {
  const [view, show] = useUrlView<EnrollmentsView>({ read: readEnrollmentsView, write });
  return {
    view,
    search: (q: string) => show({ ...view, q, page: 1 }, typing_pause_ms),
    open: (tab: TabName) => show({ ...firstView, q: view.q, grade: view.grade, term: view.term, tab }),
    filter: (change: Partial<Pick<EnrollmentsView, 'grade' | 'term' | 'isReady' | 'sort'>>) => show({ ...view, ...change, page: 1 }),
    turnTo: (page: number) => show({ ...view, page }),
  };
}
