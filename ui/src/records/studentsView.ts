// The view of the student list: search, filters, order and page, with its query parameters. Reading it from the
// address is in useStudentsView.ts, since every office page loads this file.
import type { StudentFlag } from '../api-types.ts';

/** Sort keys; with a hyphen, descending. */
export const sortKeys = ['name', 'created', 'lastActivity', 'balance'] as const;
export type SortKey = (typeof sortKeys)[number];
export type StudentSort = SortKey | `-${SortKey}`;

export type StudentsView = { q: string; flags: StudentFlag[]; course: string; grade: string; sort: StudentSort; page: number };

/** The sort key, in either direction. */
export const readSortKey = (sort: string): SortKey | undefined => sortKeys.find((one) => one === sort.replace(/^-/, ''));

/** A view's address parameters. */
export function writeStudentsView({ q, flags, course, grade, sort, page }: StudentsView): Record<string, string> {
  return {
    ...(q.trim() && { q: q.trim() }),
    ...(flags.length > 0 && { flags: flags.join(',') }),
    ...(course && { course }),
    ...(grade && { grade }),
    ...(sort !== 'name' && { sort }),
    ...(page > 1 && { page: String(page) }),
  };
}

/** Query parameters of this view: its page, all rows, or all rows as a sheet. */
export function studentParameters(view: StudentsView, extent: 'page' | 'all' | 'csv' = 'page'): string {
  const parameters = new URLSearchParams(writeStudentsView({ ...view, page: 1 }));
  if (extent === 'csv') parameters.set('format', extent);
  if (extent === 'page') parameters.set('page', String(view.page));
  return String(parameters);
}

/** The order after pressing a heading: reversed if it is sorted by already. */
export function nextSort(current: StudentSort, key: SortKey): StudentSort {
  const first: StudentSort = key === 'name' ? 'name' : `-${key}`;
  if (current.replace(/^-/, '') !== key) return first;
  return current.startsWith('-') ? key : `-${key}`;
}
