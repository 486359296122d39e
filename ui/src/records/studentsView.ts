// Which students the list shows: a search, the chips that are pressed, an order, a page; and what the server is
// asked for. How it is read from the address is the list's own (useStudentsView.ts): every page of the office
// loads this file.
import type { StudentFlag } from '../api-types.ts';

/** What the list is sorted by; with a hyphen from the last one backwards. */
export const sortKeys = ['name', 'created', 'lastActivity', 'balance'] as const;
export type SortKey = (typeof sortKeys)[number];
export type StudentSort = SortKey | `-${SortKey}`;

export type StudentsView = { q: string; flags: StudentFlag[]; course: string; grade: string; sort: StudentSort; page: number };

/** The view in an address. */
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

/** The server's parameters for this view: its page, every row, or every row as a sheet. */
export function studentParameters(view: StudentsView, extent: 'page' | 'all' | 'csv' = 'page'): string {
  const parameters = new URLSearchParams(writeStudentsView({ ...view, page: 1 }));
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
