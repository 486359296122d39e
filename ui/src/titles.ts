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

  '/student/auth': 'Student Login',
  '/student/verify': 'Verify Your Email',
  '/student/forgot-password': 'Forgot Your Password',
  '/student/dashboard': 'Student Dashboard',
  '/student/courses': 'Available Courses',
  '/student/account': 'Your Account',

  '/admin/login': 'Admin Login',
  '/admin/dashboard': 'Admin Portal',
  '/admin/courses': 'Course Management',
  '/admin/documents': 'Student Documents',
  '/admin/admission-requests': 'Admission Requests',
  '/admin/charges': 'Charges to Post',
  '/admin/identity-changes': 'Identity Changes',
  '/admin/messages': 'Messages',
  '/admin/mail': 'Mail',
  '/admin/account': 'Your Account',
};

/** Addresses that go on after these words: a link's secret, and whatever leads to a login. */
const families: [RegExp, string][] = [
  [/^\/student\/verify\/[^/]+$/, 'Verify Your Email'],
  [/^\/student\/reset-password\/[^/]+$/, 'Choose a New Password'],
  [/^\/student\/choose-password\/[^/]+$/, 'Choose Your Password'],
  [/^\/student\/not-me\/[^/]+$/, 'This Was Not Me'],
  [/^\/student\/undo-email-change\/[^/]+$/, 'Undo the Change of Email'],
  [/^\/admin\/reset-password\/[^/]+$/, 'Choose a New Password'],
  [/^\/student(\/|$)/, 'Student Login'],
  [/^\/admin(\/|$)/, 'Admin Login'],
];

export function pageTitle(pathname: string, search: string, school: Pick<School, 'name' | 'tagline'>): string {
  const path = pathname.replace(/\/+$/, '') || '/';
  if (path === '/') return `${school.name}: ${school.tagline}`;
  return `${pageName(path, search)} · ${school.name}`;
}

function pageName(path: string, search: string): string {
  const grade = readGrade(new URLSearchParams(search).get('grade'));
  if (path === '/courses' && grade) return `Grade ${grade} courses`;
  return pages[path] ?? families.find(([family]) => family.test(path))?.[1] ?? 'Page Not Found';
}
