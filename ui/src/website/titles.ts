// Page titles: "{Page} · {School}", as the server writes them.
import { matchPath } from 'react-router';
import type { OneCourse, School } from '../api-types.ts';
import { readGrade } from '../courses/grades.ts';
import { type Page, pages } from '../pages.ts';

/** `course` is a course page's course, once loaded. */
export function pageTitle(pathname: string, search: string, school: Pick<School, 'name' | 'tagline'>, course?: OneCourse): string {
  const page = pageAt(pathname);
  if (course) return `${'name' in course ? `${course.name} (${course.code})` : 'Page Not Found'} · ${school.name}`;
  if (page?.path === '/') return [school.name, school.tagline].filter(Boolean).join(': ');
  const grade = page?.path === '/courses' && readGrade(new URLSearchParams(search).get('grade'));
  return `${grade ? `Grade ${grade} courses` : (page?.title ?? 'Page Not Found')} · ${school.name}`;
}

/** The page at an address; unknown portal addresses lead to the login. */
function pageAt(pathname: string): Page | undefined {
  const fits = (path: string | undefined) => path !== undefined && matchPath({ path, caseSensitive: true }, pathname) !== null;
  return pages.find(({ path }) => fits(path)) ?? pages.find(({ catches }) => fits(catches));
}
