// What the search found, as one list in which arrow keys move.
import type { SearchResult } from '../api-types.ts';
import type { IconName } from '../components/Icon.tsx';
import { paths } from '../paths.ts';

export type Finding = { key: string; icon: IconName; name: string; about: string; path: string };

export function findings({ students, applications, courses }: SearchResult): Finding[] {
  return [
    ...students.map(({ id, name, number, email, status }) => ({
      key: `student-${id}`,
      icon: 'user' as const,
      name,
      about: [number, email, status === 'active' ? null : status].filter(Boolean).join(' · '),
      path: paths.adminStudent(id),
    })),
    ...applications.map(({ id, name, email, status }) => ({
      key: `application-${id}`,
      icon: 'inbox' as const,
      name,
      about: `Asks for a place · ${email} · ${status.replace('_', ' ')}`,
      path: `${paths.adminRequests}?${new URLSearchParams({ q: email })}`,
    })),
    ...courses.map(({ id, code, name }) => ({
      key: `course-${id}`,
      icon: 'book' as const,
      name: `${code} · ${name}`,
      about: 'Course',
      path: paths.adminCourse(id),
    })),
  ];
}
