// Builds the addresses of the office's pages, which public pages do without.
import type { EmailStatus } from './api-types.ts';
import { at } from './pages.ts';

export const officePaths = {
  enrollments: (tab?: string) => (tab ? `${at('/admin/enrollments')}?tab=${tab}` : at('/admin/enrollments')),
  courses: at('/admin/courses'),
  students: at('/admin/students'),
  student: (id: number) => at('/admin/students/:id').replace(':id', String(id)),
  course: (id: number) => at('/admin/courses/:id').replace(':id', String(id)),
  terms: at('/admin/terms'),
  term: (id: number) => at('/admin/terms/:id').replace(':id', String(id)),
  documents: (q?: string) => (q ? `${at('/admin/documents')}?${new URLSearchParams({ q })}` : at('/admin/documents')),
  audit: at('/admin/audit'),
  account: at('/admin/account'),
  requests: at('/admin/admission-requests'),
  requestFrom: (messageId: number) => `${at('/admin/admission-requests')}?message=${messageId}`,
  request: (id: number) => at('/admin/admission-requests/:id').replace(':id', String(id)),
  charges: at('/admin/charges'),
  money: (filter?: string) => (filter ? `${at('/admin/money')}?filter=${filter}` : at('/admin/money')),
  payments: `${at('/admin/money')}?show=payments`,
  studentMoney: (id: number) => `${at('/admin/students/:id').replace(':id', String(id))}?tab=money`,
  identityChanges: at('/admin/identity-changes'),
  messages: at('/admin/messages'),
  message: (id: number) => `${at('/admin/messages')}?message=${id}`,
  mail: (status?: EmailStatus) => (status ? `${at('/admin/mail')}?status=${status}` : at('/admin/mail')),
} as const;
