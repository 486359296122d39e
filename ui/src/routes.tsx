// The one table of pages. Each page is its own file for the browser, so that a visitor downloads
// neither the forms nor the portals before opening them.
import type { QueryClient } from '@tanstack/react-query';
import type { ComponentType } from 'react';
import type { LoaderFunction, RouteObject, ShouldRevalidateFunctionArgs } from 'react-router';
import { FirstLoad } from './components/FirstLoad.tsx';
import { NotFoundPage } from './components/NotFoundPage.tsx';
import { PublicLayout } from './components/PublicLayout.tsx';
import { RouteError, StartError } from './components/RouteError.tsx';
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

type Load<Part> = () => Promise<Part>;
type Loaders = (client: QueryClient) => Record<string, LoaderFunction>;

/** A page and what stands in front of it, loaded together. */
function guarded(client: QueryClient, guards: Load<{ guards: Loaders }>, guard: string, page?: Load<ComponentType>) {
  return async () => {
    const [loaders, Component] = await Promise.all([guards(), page?.()]);
    const loader = loaders.guards(client)[guard];
    if (!loader) throw new Error(`There is no guard named ${guard}.`);
    return { loader, ...(Component && { Component }) };
  };
}

const student = () => import('./students/guards.ts');
const office = () => import('./staff/guards.ts');

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
        lazy: guarded(client, student, 'lobby', async () => (await import('./students/AuthPage.tsx')).AuthPage),
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
        path: 'student/choose-password/:token',
        lazy: async () => ({ Component: (await import('./students/ChoosePasswordPage.tsx')).ChoosePasswordPage }),
      },
      {
        path: 'student/not-me/:token',
        lazy: async () => ({ Component: (await import('./students/NotMePage.tsx')).NotMePage }),
      },
      {
        path: 'student/undo-email-change/:token',
        lazy: async () => ({ Component: (await import('./students/UndoEmailPage.tsx')).UndoEmailPage }),
      },
      {
        path: 'admin/login',
        lazy: guarded(client, office, 'lobby', async () => (await import('./staff/LoginPage.tsx')).LoginPage),
      },
      {
        path: 'admin/reset-password/:token',
        lazy: async () => ({ Component: (await import('./staff/ResetPasswordPage.tsx')).ResetPasswordPage }),
      },
      // Anything else in a portal leads to its login (section 2).
      { path: 'student/*', Component: FirstLoad, lazy: guarded(client, student, 'toLogin') },
      { path: 'admin/*', Component: FirstLoad, lazy: guarded(client, office, 'toLogin') },
    ],
  };
}

type Page = { path: string; guard: string; page: Load<ComponentType> };

const studentPages: Page[] = [
  {
    path: 'student/account',
    guard: 'account',
    page: async () => (await import('./students/AccountPage.tsx')).AccountPage,
  },
  {
    path: 'student/dashboard',
    guard: 'dashboard',
    page: async () => (await import('./students/DashboardPage.tsx')).DashboardPage,
  },
  {
    path: 'student/courses',
    guard: 'courses',
    page: async () => (await import('./enrollments/AvailableCoursesPage.tsx')).AvailableCoursesPage,
  },
];

const officePages: Page[] = [
  {
    path: 'admin/account',
    guard: 'account',
    page: async () => (await import('./staff/AccountPage.tsx')).AccountPage,
  },
  {
    path: 'admin/dashboard',
    guard: 'dashboard',
    page: async () => (await import('./dashboard/DashboardPage.tsx')).DashboardPage,
  },
  {
    path: 'admin/courses',
    guard: 'courses',
    page: async () => (await import('./courses/ManageCoursesPage.tsx')).ManageCoursesPage,
  },
  {
    path: 'admin/documents',
    guard: 'documents',
    page: async () => (await import('./documents/AllDocumentsPage.tsx')).AllDocumentsPage,
  },
  {
    path: 'admin/messages',
    guard: 'messages',
    page: async () => (await import('./messages/MessagesPage.tsx')).MessagesPage,
  },
  {
    path: 'admin/mail',
    guard: 'mail',
    page: async () => (await import('./mail/MailPage.tsx')).MailPage,
  },
  {
    path: 'admin/admission-requests',
    guard: 'requests',
    page: async () => (await import('./admissions/AdmissionRequestsPage.tsx')).AdmissionRequestsPage,
  },
  {
    path: 'admin/charges',
    guard: 'charges',
    page: async () => (await import('./enrollments/ChargesPage.tsx')).ChargesPage,
  },
  {
    path: 'admin/identity-changes',
    guard: 'identityChanges',
    page: async () => (await import('./students/IdentityChangesPage.tsx')).IdentityChangesPage,
  },
];

/** A portal: its frame, and its pages behind their guards. */
function portal(client: QueryClient, guards: Load<{ guards: Loaders }>, pages: Page[], frame: Load<ComponentType>): RouteObject {
  return {
    lazy: async () => ({ Component: await frame() }),
    ErrorBoundary: StartError,
    children: pages.map(({ path, guard, page }) => ({ path, shouldRevalidate, lazy: guarded(client, guards, guard, page) })),
  };
}

export function routes(client: QueryClient): RouteObject[] {
  return [
    {
      id: 'school',
      loader: () => client.ensureQueryData(schoolQuery),
      shouldRevalidate: () => false,
      HydrateFallback: FirstLoad,
      ErrorBoundary: StartError,
      children: [
        {
          Component: PublicLayout,
          children: [{ ErrorBoundary: RouteError, children: [...publicPages, accountPages(client)] }],
        },
        portal(client, student, studentPages, async () => (await import('./students/StudentLayout.tsx')).StudentLayout),
        portal(client, office, officePages, async () => (await import('./staff/OfficeLayout.tsx')).OfficeLayout),
      ],
    },
  ];
}
