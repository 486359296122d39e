// The one table of pages. Each page is its own file for the browser, so that a visitor downloads
// neither the forms nor the portals before opening them.
import type { QueryClient } from '@tanstack/react-query';
import type { RouteObject } from 'react-router';
import { FirstLoad } from './components/FirstLoad.tsx';
import { NotFoundPage } from './components/NotFoundPage.tsx';
import { PublicLayout } from './components/PublicLayout.tsx';
import { RouteError, StartError } from './components/RouteError.tsx';
import { schoolQuery } from './school/queries.ts';
import { guard, lobby, toLogin } from './session.ts';

const publicPages: RouteObject[] = [
  { index: true, lazy: async () => ({ Component: (await import('./school/HomePage.tsx')).HomePage }) },
  { path: 'about', lazy: async () => ({ Component: (await import('./school/AboutPage.tsx')).AboutPage }) },
  { path: 'services', lazy: async () => ({ Component: (await import('./school/ServicesPage.tsx')).ServicesPage }) },
  { path: 'courses', lazy: async () => ({ Component: (await import('./courses/CoursesPage.tsx')).CoursesPage }) },
  { path: 'contact', lazy: async () => ({ Component: (await import('./messages/ContactPage.tsx')).ContactPage }) },
  { path: 'terms', lazy: async () => ({ Component: (await import('./school/TermsPage.tsx')).TermsPage }) },
  { path: 'privacy', lazy: async () => ({ Component: (await import('./school/PrivacyPage.tsx')).PrivacyPage }) },
  { path: '*', Component: NotFoundPage },
];

/** The ways into an account: open to everybody, inside the public frame. */
function accountPages(client: QueryClient): RouteObject {
  return {
    lazy: async () => ({ Component: (await import('./students/AccountLayout.tsx')).AccountLayout }),
    children: [
      {
        path: 'student/auth',
        loader: lobby(client, 'student'),
        lazy: async () => ({ Component: (await import('./students/AuthPage.tsx')).AuthPage }),
      },
      {
        path: 'student/verify/:token?',
        lazy: async () => ({ Component: (await import('./students/VerifyPage.tsx')).VerifyPage }),
      },
      {
        path: 'student/forgot-password',
        lazy: async () => ({ Component: (await import('./students/ForgotPasswordPage.tsx')).ForgotPasswordPage }),
      },
      {
        path: 'student/reset-password/:token',
        lazy: async () => ({ Component: (await import('./students/ResetPasswordPage.tsx')).ResetPasswordPage }),
      },
      {
        path: 'admin/login',
        loader: lobby(client, 'staff'),
        lazy: async () => ({ Component: (await import('./staff/LoginPage.tsx')).LoginPage }),
      },
      // Anything else in a portal leads to its login (section 2).
      { path: 'student/*', loader: toLogin('student') },
      { path: 'admin/*', loader: toLogin('staff') },
    ],
  };
}

function studentPages(client: QueryClient): RouteObject {
  const loader = guard(client, 'student');
  return {
    lazy: async () => ({ Component: (await import('./students/StudentLayout.tsx')).StudentLayout }),
    ErrorBoundary: StartError,
    children: [
      {
        path: 'student/dashboard',
        loader,
        lazy: async () => ({ Component: (await import('./students/DashboardPage.tsx')).DashboardPage }),
      },
      {
        path: 'student/courses',
        loader,
        lazy: async () => ({ Component: (await import('./enrollments/AvailableCoursesPage.tsx')).AvailableCoursesPage }),
      },
    ],
  };
}

function officePages(client: QueryClient): RouteObject {
  const loader = guard(client, 'staff');
  return {
    lazy: async () => ({ Component: (await import('./staff/OfficeLayout.tsx')).OfficeLayout }),
    ErrorBoundary: StartError,
    children: [
      {
        path: 'admin/dashboard',
        loader,
        lazy: async () => ({ Component: (await import('./dashboard/DashboardPage.tsx')).DashboardPage }),
      },
      {
        path: 'admin/courses',
        loader,
        lazy: async () => ({ Component: (await import('./courses/ManageCoursesPage.tsx')).ManageCoursesPage }),
      },
      {
        path: 'admin/documents',
        loader,
        lazy: async () => ({ Component: (await import('./documents/AllDocumentsPage.tsx')).AllDocumentsPage }),
      },
      {
        path: 'admin/messages',
        loader,
        lazy: async () => ({ Component: (await import('./messages/MessagesPage.tsx')).MessagesPage }),
      },
      {
        path: 'admin/admission-requests',
        loader,
        lazy: async () => ({ Component: (await import('./admissions/AdmissionRequestsPage.tsx')).AdmissionRequestsPage }),
      },
    ],
  };
}

export function routes(client: QueryClient): RouteObject[] {
  return [
    {
      id: 'school',
      loader: () => client.ensureQueryData(schoolQuery),
      HydrateFallback: FirstLoad,
      ErrorBoundary: StartError,
      children: [
        {
          Component: PublicLayout,
          children: [{ ErrorBoundary: RouteError, children: [...publicPages, accountPages(client)] }],
        },
        studentPages(client),
        officePages(client),
      ],
    },
  ];
}
