// The title of every page: "{Page} · {School}". The server writes the same titles into the
// page it sends, so the two tables change together.
import type { School } from './api-types.ts';
import { readGrade } from './courses/grades.ts';

const pages: Record<string, string> = {
  '/about': 'About Us',
  '/services': 'Our Services',
  '/courses': 'Courses',
  '/contact': 'Contact Us',
  '/terms': 'Terms of Service',
  '/privacy': 'Privacy Policy',
};

export function pageTitle(pathname: string, search: string, school: Pick<School, 'name' | 'tagline'>): string {
  const path = pathname.replace(/\/+$/, '') || '/';
  if (path === '/') return `${school.name}: ${school.tagline}`;
  return `${pageName(path, search)} · ${school.name}`;
}

function pageName(path: string, search: string): string {
  const grade = readGrade(new URLSearchParams(search).get('grade'));
  if (path === '/courses' && grade) return `Grade ${grade} courses`;
  if (path === '/student' || path.startsWith('/student/')) return 'Student Login';
  if (path === '/admin' || path.startsWith('/admin/')) return 'Admin Login';
  return pages[path] ?? 'Page Not Found';
}
