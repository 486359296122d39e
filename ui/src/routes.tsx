// The one table of pages. Each page is its own file for the browser, so that a visitor downloads
// neither the forms nor the portals before opening them.
import type { QueryClient } from '@tanstack/react-query';
import type { ComponentType } from 'react';
import type { RouteObject, ShouldRevalidateFunctionArgs } from 'react-router';
import { FirstLoad } from './components/FirstLoad.tsx';
import { NotFoundPage } from './components/NotFoundPage.tsx';
import { PublicLayout } from './components/PublicLayout.tsx';
import { RouteError, StartError } from './components/RouteError.tsx';
import type { guards } from './guards.ts';
import { schoolQuery } from './school/queries.ts';

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

type Guard = keyof ReturnType<typeof guards>;

/** A page and what stands in front of it, loaded together. */
function guarded(client: QueryClient, guard: Guard, page?: () => Promise<ComponentType>) {
  return async () => {
    const [{ guards }, Component] = await Promise.all([import('./guards.ts'), page?.()]);
    return { loader: guards(client)[guard], ...(Component && { Component }) };
  };
}

/** A tab or a filter rewrites the address of a page that is shown already. */
const shouldRevalidate = ({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs) => currentUrl.pathname !== nextUrl.pathname;

/** The ways into an account: open to everybody, inside the public frame. */
function accountPages(client: QueryClient): RouteObject {
  return {
    lazy: async () => ({ Component: (await import('./students/AccountLayout.tsx')).AccountLayout }),
    children: [
      {
        path: 'student/auth',
        shouldRevalidate,
        lazy: guarded(client, 'studentLobby', async () => (await import('./students/AuthPage.tsx')).AuthPage),
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
        lazy: guarded(client, 'officeLobby', async () => (await import('./staff/LoginPage.tsx')).LoginPage),
      },
      // Anything else in a portal leads to its login (section 2).
      { path: 'student/*', Component: FirstLoad, lazy: guarded(client, 'toStudentLogin') },
      { path: 'admin/*', Component: FirstLoad, lazy: guarded(client, 'toOfficeLogin') },
    ],
  };
}

type Page = { path: string; guard: Guard; page: () => Promise<ComponentType> };

const studentPages: Page[] = [
  {
    path: 'student/dashboard',
    guard: 'studentDashboard',
    page: async () => (await import('./students/DashboardPage.tsx')).DashboardPage,
  },
  {
    path: 'student/courses',
    guard: 'studentCourses',
    page: async () => (await import('./enrollments/AvailableCoursesPage.tsx')).AvailableCoursesPage,
  },
];

const officePages: Page[] = [
  {
    path: 'admin/dashboard',
    guard: 'officeDashboard',
    page: async () => (await import('./dashboard/DashboardPage.tsx')).DashboardPage,
  },
  {
    path: 'admin/courses',
    guard: 'officeCourses',
    page: async () => (await import('./courses/ManageCoursesPage.tsx')).ManageCoursesPage,
  },
  {
    path: 'admin/documents',
    guard: 'officeDocuments',
    page: async () => (await import('./documents/AllDocumentsPage.tsx')).AllDocumentsPage,
  },
  {
    path: 'admin/messages',
    guard: 'officeMessages',
    page: async () => (await import('./messages/MessagesPage.tsx')).MessagesPage,
  },
  {
    path: 'admin/admission-requests',
    guard: 'officeRequests',
    page: async () => (await import('./admissions/AdmissionRequestsPage.tsx')).AdmissionRequestsPage,
  },
];

/** A portal: its frame, and its pages behind their guards. */
function portal(client: QueryClient, pages: Page[], frame: () => Promise<ComponentType>): RouteObject {
  return {
    lazy: async () => ({ Component: await frame() }),
    ErrorBoundary: StartError,
    children: pages.map(({ path, guard, page }) => ({ path, shouldRevalidate, lazy: guarded(client, guard, page) })),
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
        portal(client, studentPages, async () => (await import('./students/StudentLayout.tsx')).StudentLayout),
        portal(client, officePages, async () => (await import('./staff/OfficeLayout.tsx')).OfficeLayout),
      ],
    },
  ];
}
