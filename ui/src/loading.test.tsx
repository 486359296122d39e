// Every list of the portals: slow, failed, offline, retried, and after the session has ended; and pages that a role
// has no access to.
import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse, type JsonBodyType } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import { reportEnd } from './accounts/sessionEnd.ts';
import type {
  AdmissionRequest, ContactMessage, Enrollment, ListedDocument, MailRecord, Student, StudentDocument, User,
} from './api-types.ts';
import { officePages, pagesOf } from './pages.ts';
import { course, courseRow, school } from './test/data.ts';
import { open } from './test/render.tsx';
import { server } from './test/server.ts';

const now = '2026-11-21T12:00:00Z';

const student: Student = {
  id: 1, email: 'amara@mail.example', isVerified: true, hasSecondFactor: false, version: 1, country: 'CA', transferringCredits: false,
  createdAt: now, fullName: 'Amara Okonkwo', phoneNumber: '4165550100', address: '1 Sample Street',
};
const user: User = {
  id: 1, username: 'registrar', email: 'registrar@northgate.example', fullName: null, role: 'admin', hasSecondFactor: true, needsSecondFactor: false, digest: false,
  duties: officePages.flatMap(({ duty }) => duty ?? []),
};
const english = course({ code: 'ENG4U', grade: 12 });
const enrollment: Enrollment = {
  id: 1, courseId: english.id, course: { code: 'ENG4U', name: 'English', grade: 12, credits: 1, price: 549 }, status: 'active',
  startDate: '2026-09-08', endDate: '2027-01-29', requestedAt: now, version: 1,
};
const document: StudentDocument = {
  id: 1, studentId: 1, documentType: 'transcript', originalName: 'a.pdf', contentType: 'application/pdf', sizeBytes: 1, status: 'accepted',
  uploadedAt: now, createdAt: now, examination: 'passed', fault: null, isFromOffice: false, isRemovable: false, wasSigned: false,
  label: null, rejectCode: null, reason: null, expiresOn: null, reviewedAt: null,
};
const listed: ListedDocument = { ...document, student: { fullName: 'Amara Okonkwo', email: student.email }, reviewedBy: null };
const message: ContactMessage = {
  id: 1, name: 'Søren Kjær', email: 's@mail.example', phone: null, subject: 'general', message: 'Hello.', status: 'new', createdAt: now,
  reference: 'M-26-YS14', assignee: null, assigneeId: null, requestId: null, firstReplyAt: null,
};
const request: AdmissionRequest = {
  id: 1, reference: 'A-26-7QK4', firstName: 'Anaïs', lastName: 'Núñez-Gagné', dateOfBirth: null, email: 'a@mail.example', phone: '1', address: 'x', country: 'CA',
  grade: 9, previousSchool: null, guardianName: null, guardianEmail: null, source: 'web', status: 'pending', stateSince: now, assigneeId: null, studentId: null,
  createdAt: now, lookTwice: false, version: 1,
};
const email: MailRecord = {
  id: 1, recipient: 'k@mail.example', subject: 'Your account', status: 'sent', attempts: 1, createdAt: now, sentAt: now, nextAttemptAt: null,
  lastError: null, isInFile: false,
};

/** Responses of every endpoint that the pages below use. */
const answers: Record<string, JsonBodyType> = {
  '/api/students/me': student,
  '/api/students/documents': [document],
  '/api/students/documents/usage': { files: 1, maxFiles: 40, bytes: 1, maxBytes: 1e8, refusal: null },
  '/api/students/enrollments': [enrollment],
  '/api/students/enrollments/dates': { semesters: [], earliest: '2026-01-01', latest: '2027-12-31', dueDays: 14 },
  '/api/students/credits': { sum: { here: 0, elsewhere: 0, underWay: 1 }, external: [] },
  '/api/students/fees': { balance: 0, entries: [], howToPay: { text: '' }, nextDueOn: null },
  '/api/students/prerequisites': [],
  '/api/students/wanted': [],
  '/api/courses': [english],
  '/api/user': user,
  '/api/admin/waiting': [],
  '/api/admin/dashboard': { isMailDelivered: true, isReadOnly: false },
  '/api/admin/enrollments': [],
  '/api/admin/courses': [courseRow({ code: 'ENL1W', grade: 9 })],
  '/api/admin/documents': [listed],
  '/api/admin/messages': [message],
  '/api/admin/admission-requests': [{ ...request, assignee: null, isDuplicate: false, isLate: false }],
  '/api/admin/admission-requests/counts': { statuses: [], assignees: [], waits: [] },
  '/api/admin/mail': [email],
};

const good = (path: string) => () => HttpResponse.json(answers[path], { headers: { 'X-Total-Count': '1' } });
const refused = () => HttpResponse.json({ message: 'Please log in to continue.' }, { status: 401 });

const screens = [
  { path: '/student/dashboard', call: '/api/students/documents', late: 'Not known yet', failed: 'Failed to load your documents. Please try again later.', shows: 'All complete' },
  { path: '/student/dashboard', call: '/api/students/enrollments', late: 'Loading your courses...', failed: 'Failed to load your courses. Please try again later.', shows: /ENG4U/ },
  { path: '/student/dashboard?tab=courses', call: '/api/students/enrollments', late: 'Loading your courses...', failed: 'Failed to load your courses. Please try again later.', shows: /ENG4U/ },
  { path: '/student/dashboard?tab=documents', call: '/api/students/documents', late: 'Loading your documents...', failed: 'Failed to load your documents. Please try again later.', shows: 'School Transcript' },
  { path: '/student/courses?q=ENG4U', call: '/api/courses', late: 'Loading courses...', failed: 'Error loading courses. Please try again later.', shows: 'Already Enrolled' },
  { path: '/admin/courses', call: '/api/admin/courses', late: 'Loading courses...', failed: 'Failed to load courses. Please try again later.', shows: 'ENL1W' },
  { path: '/admin/documents', call: '/api/admin/documents', late: 'Loading documents...', failed: 'Failed to load documents. Please try again later.', shows: 'School Transcript' },
  { path: '/admin/messages', call: '/api/admin/messages', late: 'Loading messages...', failed: 'Failed to load messages. Please try again later.', shows: 'Søren Kjær' },
  { path: '/admin/admission-requests', call: '/api/admin/admission-requests', late: 'Loading requests...', failed: 'Failed to load admission requests. Please try again later.', shows: 'Anaïs Núñez-Gagné' },
  { path: '/admin/mail', call: '/api/admin/mail', late: 'Loading emails...', failed: 'Failed to load the emails. Please try again later.', shows: 'Your account' },
];

beforeEach(() => {
  reportEnd(false);
  server.use(...Object.keys(answers).map((path) => http.get(`*${path}`, good(path))));
});

const shown = async (words: string | RegExp) => expect((await screen.findAllByText(words))[0]).toBeVisible();

describe.each(screens)('$path without $call', ({ path, call, late, failed, shows }) => {
  it.each([
    ['failed', () => HttpResponse.html('<h1>boom</h1>', { status: 500 })],
    ['offline', () => HttpResponse.error()],
  ])('%s says so, without server details, and loads on a retry', async (_, response) => {
    server.use(http.get(`*${call}`, response));
    const { user: person } = open(path, { school });
    await shown(failed);
    expect(screen.queryByText(/boom/)).not.toBeInTheDocument();
    server.use(http.get(`*${call}`, good(call)));
    await person.click(screen.getAllByRole('button', { name: 'Retry' })[0] as HTMLElement);
    await shown(shows);
    await waitFor(() => expect(screen.queryByText(failed)).not.toBeInTheDocument());
  });

  it('late says that it loads', async () => {
    let release: (() => void) | undefined;
    const held = new Promise<void>((resolve) => { release = resolve; });
    server.use(http.get(`*${call}`, async () => { await held; return good(call)(); }));
    open(path, { school });
    expect((await screen.findAllByText(late))[0]).toBeVisible();
    release?.();
    await shown(shows);
    expect(screen.queryByText(late)).not.toBeInTheDocument();
  });

  it.skipIf(call === '/api/courses')('after the session has ended asks to log in again, and then loads', async () => {
    server.use(http.get(`*${call}`, refused));
    const { user: person } = open(path, { school });
    const dialog = within(await screen.findByRole('dialog', { name: 'Please log in again' }));
    server.use(
      http.get(`*${call}`, good(call)),
      http.post('*/api/login', () => HttpResponse.json(user)),
      http.post('*/api/students/login', () => HttpResponse.json({ student })),
    );
    await person.click(dialog.getByLabelText('Password'));
    await person.paste('a quiet blue heron');
    await person.click(dialog.getByRole('button', { name: 'Login' }));
    await shown(shows);
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  });

  it.runIf(call === '/api/courses')('needs no session', async () => {
    server.use(http.get(`*${call}`, refused));
    open(path, { school });
    expect(await screen.findByRole('heading', { name: 'No courses to show' })).toBeVisible();
    expect(screen.queryByText(failed)).not.toBeInTheDocument();
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  });
});

describe.each([
  { role: 'bursar' as const, duties: ['money'] as User['duties'], ways: ['View Courses'] },
  { role: 'viewer' as const, duties: ['admissions'] as User['duties'], ways: ['View Requests', 'View Courses'] },
])('a $role', ({ role, duties, ways }) => {
  const closed = pagesOf('office').filter(({ duty }) => duty && !duties.includes(duty)).map(({ path, nav, title }) => ({ path: path.replace(':id', '1'), label: nav?.label ?? title }));
  const calls: string[] = [];

  beforeEach(() => {
    calls.length = 0;
    server.use(http.get('*/api/user', () => HttpResponse.json({ ...user, role, duties })));
    server.events.on('request:start', ({ request: sent }) => void calls.push(new URL(sent.url).pathname));
    return () => server.events.removeAllListeners();
  });

  it('has the sections and quick links of the role, and only reads courses', async () => {
    open('/admin/dashboard', { school });
    const links = within(await screen.findByRole('region', { name: 'Quick Access' })).getAllByRole('link');
    expect(links.map((link) => link.textContent?.trim().replace(/.* (View|Manage)/, '$1'))).toEqual(ways);
    const sections = officePages.filter(({ duty }) => !duty || duties.includes(duty)).map(({ nav }) => nav.label);
    const nav = screen.getAllByRole('navigation', { name: 'Office' })[0] as HTMLElement;
    expect(within(nav).getAllByRole('link').map((link) => link.querySelector('.nav-label')?.textContent ?? link.textContent?.trim())).toEqual(sections);
  });

  it.each(closed)('has no access to $label, and asks for nothing there', async ({ path, label }) => {
    open(path, { school });
    expect(await screen.findByText(`You don’t have access to ${label}`)).toBeVisible();
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent(label ?? '');
    expect(calls.filter((call) => !['/api/user', '/api/admin/waiting', '/api/admin/dashboard'].includes(call))).toEqual([]);
  });
});
