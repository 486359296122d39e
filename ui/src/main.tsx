// Starts the interface in the page the server sent: takes over a page that came drawn, and draws any other.
// First, because it says in which order the layers of all the others count.
import './styles/index.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { type ReactElement, startTransition, StrictMode, useEffect } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { createBrowserRouter, type LazyRouteFunction, matchRoutes, type RouteObject, RouterProvider } from 'react-router';
import { newQueryClient, readBoot, seedQueries } from './boot.ts';
import { routes } from './routes.tsx';
import { claimReload, watchVanishedFiles } from './upgrade.ts';

watchVanishedFiles();

const queryClient = newQueryClient();
const boot = readBoot(document);
if (boot) seedQueries(queryClient, boot, window.location.pathname);

const root = document.getElementById('root');
if (!root) throw new Error('The page has no #root element.');

const table = routes(queryClient);

/** Says of a page that came drawn that it answers now. */
function Live({ children }: { children: ReactElement }) {
  useEffect(() => document.getElementById('root')?.removeAttribute('data-drawn'), []);
  return children;
}

const interfaceOf = (router: ReturnType<typeof createBrowserRouter>) => (
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <Live><RouterProvider router={router} /></Live>
    </QueryClientProvider>
  </StrictMode>
);

/** The routes of this address with their pages, which a drawn page is compared with at once. */
async function loadMatched(all: RouteObject[]) {
  const matched = matchRoutes(all, window.location) ?? [];
  await Promise.all(matched.map(async ({ route }) => Object.assign(route, await (route.lazy as LazyRouteFunction<RouteObject> | undefined)?.(), { lazy: undefined })));
}

if (boot && root.hasAttribute('data-drawn')) {
  const hydrationData = { loaderData: { school: boot.school } };
  loadMatched(table).then(
    () => startTransition(() => { hydrateRoot(root, interfaceOf(createBrowserRouter(table, { hydrationData }))); }),
    // The page can be read and its links followed all the same.
    (error: unknown) => { if (claimReload(error)) window.location.reload(); },
  );
} else {
  createRoot(root).render(interfaceOf(createBrowserRouter(table)));
}
