// Builds every address that the interface links to.
import type { ContactSubject, EmailStatus, Grade } from './api-types.ts';
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
  adminEnrollments: (tab?: string) => (tab ? `${at('/admin/enrollments')}?tab=${tab}` : at('/admin/enrollments')),
  adminCourses: at('/admin/courses'),
  adminStudents: at('/admin/students'),
  adminStudent: (id: number) => at('/admin/students/:id').replace(':id', String(id)),
  adminCourse: (id: number) => at('/admin/courses/:id').replace(':id', String(id)),
  adminTerms: at('/admin/terms'),
  adminTerm: (id: number) => at('/admin/terms/:id').replace(':id', String(id)),
  adminDocuments: (q?: string) => (q ? `${at('/admin/documents')}?${new URLSearchParams({ q })}` : at('/admin/documents')),
  adminAudit: at('/admin/audit'),
  adminAccount: at('/admin/account'),
  adminRequests: at('/admin/admission-requests'),
  adminRequestFrom: (messageId: number) => `${at('/admin/admission-requests')}?message=${messageId}`,
  adminRequest: (id: number) => at('/admin/admission-requests/:id').replace(':id', String(id)),
  adminCharges: at('/admin/charges'),
  adminMoney: (filter?: string) => (filter ? `${at('/admin/money')}?filter=${filter}` : at('/admin/money')),
  adminPayments: `${at('/admin/money')}?show=payments`,
  adminStudentMoney: (id: number) => `${at('/admin/students/:id').replace(':id', String(id))}?tab=money`,
  adminIdentityChanges: at('/admin/identity-changes'),
  adminMessages: at('/admin/messages'),
  adminMessage: (id: number) => `${at('/admin/messages')}?message=${id}`,
  adminMail: (status?: EmailStatus) => (status ? `${at('/admin/mail')}?status=${status}` : at('/admin/mail')),
} as const;

export const studentTabs = ['overview', 'courses', 'documents', 'profile'] as const;
export type StudentTab = (typeof studentTabs)[number];
