// Builds every address that the interface links to.
import type { ContactSubject, Grade } from './api-types.ts';
import { at } from './pages.ts';

export const paths = {
  home: at('/'),
  about: at('/about'),
  services: at('/services'),
  courses: (grade?: Grade) => (grade ? `${at('/courses')}?grade=${grade}` : at('/courses')),
  course: (code: string) => at('/courses/:code').replace(':code', code),
  contact: (subject?: ContactSubject) => (subject ? `${at('/contact')}?subject=${subject}` : at('/contact')),
  messageSent: `${at('/contact')}?sent`,
  apply: at('/apply'),
  applied: (reference: string) => `${at('/apply')}?sent=${reference}`,
  applicationLink: at('/application'),
  applicationLinkSent: `${at('/application')}?sent`,
  terms: at('/terms'),
  privacy: at('/privacy'),
  refunds: at('/refunds'),
  howToPay: at('/how-to-pay'),

  family: at('/family/:token?').replace('/:token?', ''),

  studentAuth: at('/student/auth'),
  studentAuthTo: (next: string) => `${at('/student/auth')}?${new URLSearchParams({ next })}`,
  studentVerified: `${at('/student/auth')}?verified=true`,
  studentRegister: `${at('/student/auth')}?tab=register`,
  forgotPassword: at('/student/forgot-password'),
  passwordChanged: '/student/reset-password/done',
  studentDashboard: (tab?: StudentTab) => (tab && tab !== 'overview' ? `${at('/student/dashboard')}?tab=${tab}` : at('/student/dashboard')),
  studentCourses: at('/student/courses'),
  studentCoursesOf: (code: string) => `${at('/student/courses')}?grade=all&q=${code}`,
  studentAccount: at('/student/account'),

  adminLogin: at('/admin/login'),
  adminForgotPassword: at('/admin/forgot-password'),
  adminPasswordChanged: '/admin/reset-password/done',
  adminDashboard: at('/admin/dashboard'),
} as const;

export const studentTabs = ['overview', 'courses', 'documents', 'profile'] as const;
export type StudentTab = (typeof studentTabs)[number];
