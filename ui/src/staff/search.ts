// The office's search, with results as one list for arrow keys.
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { getJson } from '../api.ts';
import type { SearchResult } from '../api-types.ts';
import type { IconName } from '../components/Icon.tsx';
import { list_fresh_ms } from '../components/useListView.ts';
import { officePaths } from '../officePaths.ts';

/** Two characters, or one Chinese, Japanese or Korean character. */
export const isLongEnough = (q: string) => q.length > 1 || q > '\u2e7f';

export const searchQuery = (q: string) =>
  queryOptions({
    queryKey: ['records', 'search', q],
    queryFn: ({ signal }) => getJson(`/api/admin/search?${new URLSearchParams({ q })}`, signal),
    staleTime: list_fresh_ms,
    enabled: isLongEnough(q),
    placeholderData: keepPreviousData,
  });

export type Finding = { key: string; icon: IconName; name: string; about: string; path: string };

export const studentFindings = ({ students }: Pick<SearchResult, 'students'>) =>
  students.map(({ id, name, number, email, status }) => ({
    key: `student-${id}`,
    icon: 'user' as const,
    name,
    about: [number, email, status === 'active' ? null : status].filter(Boolean).join(' · '),
    path: officePaths.student(id),
    id,
    status,
  }));

export function findings({ students, applications, courses, receipts }: SearchResult): Finding[] {
  return [
    ...studentFindings({ students }),
    ...applications.map(({ id, name, email, status }) => ({
      key: `application-${id}`,
      icon: 'inbox' as const,
      name,
      about: `Applicant · ${email} · ${status.replace('_', ' ')}`,
      path: officePaths.request(id),
    })),
    ...courses.map(({ id, code, name }) => ({
      key: `course-${id}`,
      icon: 'book' as const,
      name: `${code} · ${name}`,
      about: 'Course',
      path: officePaths.course(id),
    })),
    ...receipts.map(({ number, studentId, name, isVoid }) => ({
      key: `receipt-${number}`,
      icon: 'dollar' as const,
      name: `Receipt ${number}`,
      about: isVoid ? `${name} · void` : name,
      path: studentId === null ? `/api/admin/receipts/${number}` : `${officePaths.student(studentId)}?tab=money`,
    })),
  ];
}
