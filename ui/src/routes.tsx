// The routes, from the table of pages. Each page is its own chunk, so that visitors download neither forms nor portals
// before opening them.
import type { QueryClient } from '@tanstack/react-query';
import type { ComponentType } from 'react';
import type { RouteObject, ShouldRevalidateFunctionArgs } from 'react-router';
import { FirstLoad } from './components/FirstLoad.tsx';
import { NotFoundPage } from './components/NotFoundPage.tsx';
import { RouteError, StartError } from './components/RouteError.tsx';
import { type Area, type Page, pagesOf } from './pages.ts';
import type { PageFile, PageFiles } from './portalPages.ts';
import { schoolQuery } from './school/queries.ts';
import { isTemplate } from './template.tsx';
import { PublicLayout } from './website/PublicLayout.tsx';

/** Public page modules; the portals' are in a file that visitors do not load. */
const files: PageFiles = import.meta.glob<PageFile>(['./website/*Page.tsx', './courses/Course{s,Details}Page.tsx', './messages/ContactPage.tsx', './admissions/ApplyPage.tsx']);

/** A page's component and its prefetch. Templates of the portals' pages show a skeleton. */
export async function loadPage(row: Page) {
  const { area, page } = row;
  if (isTemplate && (area === 'student' || area === 'office')) {
    const { PageSkeleton } = await import('./accounts/PageSkeleton.tsx');
    return { Component: () => <PageSkeleton area={area} title={row.title ?? ''} /> };
  }
  const all = area === 'public' ? files : (await import('./portalPages.ts')).portalPages;
  // A test opens every page.
  const file = (await all[`./${page}.tsx`]?.()) as PageFile;
  const Component = file[page.slice(page.lastIndexOf('/') + 1) as `${string}Page`] as ComponentType;
  return { Component, prefetch: file.prefetch };
}

/** A page's guard: a login redirects signed-in users, a portal page signed-out ones. */
async function loadGuard(client: QueryClient, page: Page) {
  return page.area === 'public' || isTemplate ? null : (await import('./accounts/guards.ts')).guardOf(client, page);
}

/** Skips the loader when a tab or filter rewrites the address of the open page. */
const shouldRevalidate = ({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs) => currentUrl.pathname !== nextUrl.pathname;

/** A page and its guard, loaded together. */
function routeOf(client: QueryClient, page: Page): RouteObject {
  return {
    id: page.path,
    path: page.path,
    caseSensitive: true,
    shouldRevalidate,
    lazy: async () => {
      const [{ Component, prefetch }, guard] = await Promise.all([loadPage(page), loadGuard(client, page)]);
      return { Component, ...(guard && { loader: guard(prefetch) }) };
    },
  };
}

/** Unknown portal addresses lead to the login (section 2). */
function restOf({ path, catches }: Page): RouteObject[] {
  const lazy = async () => ({ loader: (await import('./accounts/guards.ts')).toLogin(path) });
  return catches ? [{ path: catches, Component: FirstLoad, lazy }] : [];
}

export function routes(client: QueryClient): RouteObject[] {
  const routesOf = (area: Area) => pagesOf(area).map((page) => routeOf(client, page));
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
          children: [
            {
              ErrorBoundary: RouteError,
              children: [
                ...routesOf('public'),
                { path: '*', Component: NotFoundPage },
                // Login and account pages: public, inside the public frame.
                {
                  lazy: async () => ({ Component: (await import('./accounts/AccountLayout.tsx')).AccountLayout }),
                  children: [...routesOf('account'), ...pagesOf('account').flatMap(restOf)],
                },
              ],
            },
          ],
        },
        {
          lazy: async () => ({ Component: (await import('./students/StudentLayout.tsx')).StudentLayout }),
          ErrorBoundary: StartError,
          children: routesOf('student'),
        },
        {
          lazy: async () => ({ Component: (await import('./staff/OfficeLayout.tsx')).OfficeLayout }),
          ErrorBoundary: StartError,
          children: routesOf('office'),
        },
      ],
    },
  ];
}
