// The routes, from the table of pages. Each page is its own chunk, so that visitors download neither forms nor portals
// before opening them.
import type { QueryClient } from '@tanstack/react-query';
import type { LoaderFunction, RouteObject, ShouldRevalidateFunctionArgs } from 'react-router';
import type { Prefetch } from './accounts/guards.ts';
import { FirstLoad } from './components/FirstLoad.tsx';
import { NotFoundPage } from './components/NotFoundPage.tsx';
import { RouteError, StartError } from './components/RouteError.tsx';
import { type Area, type Page, pagesOf } from './pages.ts';
import type { PageFile, PageFiles } from './portalPages.ts';
import { schoolQuery } from './school/queries.ts';
import { PublicLayout } from './website/PublicLayout.tsx';

/** Public page modules; the portals' are in a file that visitors do not load. */
const files: PageFiles = import.meta.glob<PageFile>(['./website/*Page.tsx', './courses/Course{s,Details}Page.tsx', './messages/ContactPage.tsx']);

/** A page's component and prefetch. */
export async function loadPage({ area, page }: Page) {
  const all = area === 'public' ? files : (await import('./portalPages.ts')).portalPages;
  const file = await all[`./${page}.tsx`]?.();
  const Component = file?.[page.slice(page.indexOf('/') + 1) as `${string}Page`];
  if (!Component) throw new Error(`There is no page ${page}.`);
  return { Component, prefetch: file.prefetch };
}

const portalOf = (path: string) => (path.startsWith('/student/') ? 'student' : 'staff');

/** A page's guard: a login redirects signed-in users, a portal page signed-out ones. */
async function loadGuard(client: QueryClient, { area, path, catches, duty }: Page): Promise<((prefetch?: Prefetch) => LoaderFunction) | null> {
  const isOpen = area === 'public' || (area === 'account' && !catches);
  if (isOpen) return null;
  const { guard, lobby } = await import('./accounts/guards.ts');
  return catches ? () => lobby(client, portalOf(path)) : (prefetch) => guard(client, portalOf(path), prefetch, duty);
}

/** Skips the loader when a tab or filter rewrites the address of the open page. */
const shouldRevalidate = ({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs) => currentUrl.pathname !== nextUrl.pathname;

/** A page and its guard, loaded together. */
function routeOf(client: QueryClient, page: Page): RouteObject {
  return {
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
  const lazy = async () => ({ loader: (await import('./accounts/guards.ts')).toLogin(portalOf(path)) });
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
