// Every address of the interface, built in one place.
import type { ContactSubject, Grade } from './api-types.ts';

export const paths = {
  home: '/',
  about: '/about',
  services: '/services',
  courses: (grade?: Grade) => (grade ? `/courses?grade=${grade}` : '/courses'),
  contact: (subject?: ContactSubject) => (subject ? `/contact?subject=${subject}` : '/contact'),
  terms: '/terms',
  privacy: '/privacy',
  studentAuth: '/student/auth',
  adminLogin: '/admin/login',
} as const;
