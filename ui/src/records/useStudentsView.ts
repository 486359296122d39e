// Which students the list shows: a search, the chips that are pressed, an order, a page. All of it lives in
// the address.
import type { StudentFlag } from '../api-types.ts';
import { grades } from '../courses/grades.ts';
import { typing_pause_ms, useUrlView } from '../components/useUrlView.ts';
import { readFlags } from './flags.ts';

/** What the list is sorted by; with a hyphen from the last one backwards. */
export const sortKeys = ['name', 'created', 'lastActivity', 'balance'] as const;
export type SortKey = (typeof sortKeys)[number];
export type StudentSort = SortKey | `-${SortKey}`;

export type StudentsView = { q: string; flags: StudentFlag[]; course: string; grade: string; sort: StudentSort; page: number };

export function useStudentsView() {
  const [view, show] = useUrlView<StudentsView>({ read: readStudentsView, write });
  return {
    view,
    search: (q: string) => show({ ...view, q, page: 1 }, typing_pause_ms),
    toggle: (flag: StudentFlag) =>
      show({ ...view, flags: view.flags.includes(flag) ? view.flags.filter((one) => one !== flag) : [...view.flags, flag], page: 1 }),
    filter: (change: Partial<Pick<StudentsView, 'course' | 'grade'>>) => show({ ...view, ...change, page: 1 }),
    sortBy: (sort: StudentSort) => show({ ...view, sort, page: 1 }),
    turnTo: (page: number) => show({ ...view, page }),
  };
}

export function readStudentsView(parameters: URLSearchParams): StudentsView {
  const page = Number(parameters.get('page'));
  const sort = parameters.get('sort') ?? '';
  const key = sortKeys.find((one) => one === sort.replace(/^-/, ''));
  return {
    q: parameters.get('q') ?? '',
    flags: readFlags(parameters.get('flags')),
    course: parameters.get('course') ?? '',
    grade: grades.map(String).find((grade) => grade === parameters.get('grade')) ?? '',
    sort: key ? (sort as StudentSort) : 'name',
    page: Number.isInteger(page) && page > 0 ? page : 1,
  };
}

function write({ q, flags, course, grade, sort, page }: StudentsView): Record<string, string> {
  return {
    ...(q.trim() && { q: q.trim() }),
    ...(flags.length > 0 && { flags: flags.join(',') }),
    ...(course && { course }),
    ...(grade && { grade }),
    ...(sort !== 'name' && { sort }),
    ...(page > 1 && { page: String(page) }),
  };
}

/** The server's parameters for this view: its page, every row, or every row as a sheet. */
export function studentParameters(view: StudentsView, extent: 'page' | 'all' | 'csv' = 'page'): string {
  const parameters = new URLSearchParams(write({ ...view, page: 1 }));
  if (extent === 'csv') parameters.set('format', extent);
  if (extent === 'page') parameters.set('page', String(view.page));
  return String(parameters);
}

/** The order that a heading leads to: the other way round when it is sorted by already. */
export function nextSort(current: StudentSort, key: SortKey): StudentSort {
  const first: StudentSort = key === 'name' ? 'name' : `-${key}`;
  if (current.replace(/^-/, '') !== key) return first;
  return current.startsWith('-') ? key : `-${key}`;
}
