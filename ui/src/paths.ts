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
  studentAuthTo: (next: string) => `/student/auth?${new URLSearchParams({ next })}`,
  studentVerified: '/student/auth?verified=true',
  studentRegister: '/student/auth?tab=register',
  forgotPassword: '/student/forgot-password',
  passwordChanged: '/student/reset-password/done',
  studentDashboard: (tab?: StudentTab) => (tab && tab !== 'overview' ? `/student/dashboard?tab=${tab}` : '/student/dashboard'),
  studentCourses: '/student/courses',
  studentAccount: '/student/account',

  adminLogin: '/admin/login',
  adminPasswordChanged: '/admin/reset-password/done',
  adminDashboard: '/admin/dashboard',
  adminCourses: '/admin/courses',
  adminDocuments: (q?: string) => (q ? `/admin/documents?${new URLSearchParams({ q })}` : '/admin/documents'),
  adminAccount: '/admin/account',
  adminRequests: '/admin/admission-requests',
  adminCharges: '/admin/charges',
  adminIdentityChanges: '/admin/identity-changes',
  adminMessages: '/admin/messages',
  adminMail: (status?: 'dead') => (status ? `/admin/mail?status=${status}` : '/admin/mail'),

  /** The document itself, opened in a new tab. */
  document: (id: number) => `/api/documents/${id}`,
} as const;

export const studentTabs = ['overview', 'courses', 'documents', 'profile'] as const;
export type StudentTab = (typeof studentTabs)[number];
