// The one table of pages. Each page is its own file for the browser, so that a visitor
// downloads neither the forms nor the portals before opening them.
import type { QueryClient } from '@tanstack/react-query';
import type { RouteObject } from 'react-router';
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

/** Until the portals are built, each of their addresses shows one page that says so. */
const portalPages: RouteObject[] = [
  {
    path: 'student/*',
    lazy: async () => ({ Component: (await import('./students/StudentPortalPage.tsx')).StudentPortalPage }),
  },
  {
    path: 'admin/*',
    lazy: async () => ({ Component: (await import('./staff/AdminPortalPage.tsx')).AdminPortalPage }),
  },
];

export function routes(queryClient: QueryClient): RouteObject[] {
  return [
    {
      id: 'school',
      loader: () => queryClient.ensureQueryData(schoolQuery),
      shouldRevalidate: () => false,
      HydrateFallback: FirstLoad,
      ErrorBoundary: StartError,
      children: [
        {
          Component: PublicLayout,
          children: [{ ErrorBoundary: RouteError, children: [...publicPages, ...portalPages] }],
        },
      ],
    },
  ];
}
