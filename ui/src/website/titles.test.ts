// Page titles, from the table and for other addresses.
import { expect, it } from 'vitest';
import { pages } from '../pages.ts';
import { pageTitle } from './titles.ts';

const school = { name: 'Northgate Academy', tagline: 'Private secondary school, Ontario' };

it.each(pages.slice(1))('$path is titled as the table says', ({ path, title }) => {
  const address = path.replace(/:token\??/, 'a-token_1').replace(':id', '7').replace(':code', 'ENG4U');
  for (const each of [address, `${address}/`]) expect(pageTitle(each, '', school)).toBe(`${title} · Northgate Academy`);
});

it('a course is titled by its name, and an address without one as any other', () => {
  const course = { code: 'SCH4U', name: 'Chemistry', grade: 12, advice: '', successors: [] } as const;
  expect(pageTitle('/courses/sch4u', '', school, { ...course, successors: [] })).toBe('Chemistry (SCH4U) · Northgate Academy');
  expect(pageTitle('/courses/X', '', school, { code: 'X' })).toBe('Page Not Found · Northgate Academy');
});

it.each([
  ['/', '', 'Northgate Academy: Private secondary school, Ontario'],
  ['/courses', '?grade=11', 'Grade 11 courses · Northgate Academy'],
  ['/courses', '?grade=13', 'Courses · Northgate Academy'],
  ['/contact', '?subject=admission', 'Contact Us · Northgate Academy'],
  ['/student/auth', '?tab=register', 'Student Login · Northgate Academy'],
  ['/student/verify', '', 'Verify Your Email · Northgate Academy'],
  ['/student/verify/', '', 'Verify Your Email · Northgate Academy'],
  ['/student/verify/a/b', '', 'Student Login · Northgate Academy'],
  ['/student/choose-password', '', 'Student Login · Northgate Academy'],
  ['/admin/reset-password', '', 'Admin Login · Northgate Academy'],
  ['/student/dashboard', '?tab=profile', 'Student Dashboard · Northgate Academy'],
  ['/student/courses/1', '', 'Student Login · Northgate Academy'],
  ['/student', '', 'Student Login · Northgate Academy'],
  ['/students', '', 'Page Not Found · Northgate Academy'],
  ['/admin/dashboard', '', 'Admin Portal · Northgate Academy'],
  ['/admin/mail', '?status=dead', 'Mail · Northgate Academy'],
  ['/admin', '', 'Admin Login · Northgate Academy'],
  ['/admin/anything/else', '', 'Admin Login · Northgate Academy'],
  ['/About', '', 'Page Not Found · Northgate Academy'],
  ['/nowhere', '', 'Page Not Found · Northgate Academy'],
])('%s%s is titled %s', (pathname, search, title) => {
  expect(pageTitle(pathname, search, school)).toBe(title);
});
