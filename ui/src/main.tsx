// Starts the interface: hydrates a prerendered page, and renders any other. The layer order has to be imported first.
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

/** Marks a prerendered page as interactive. */
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

/** Loads the pages of this address's routes, which hydration needs at once. */
async function loadMatched(all: RouteObject[]) {
  const matched = matchRoutes(all, window.location) ?? [];
  await Promise.all(matched.map(async ({ route }) => Object.assign(route, await (route.lazy as LazyRouteFunction<RouteObject> | undefined)?.(), { lazy: undefined })));
}

if (boot && root.hasAttribute('data-drawn')) {
  const hydrationData = { loaderData: { school: boot.school } };
  loadMatched(table).then(
    () => startTransition(() => { hydrateRoot(root, interfaceOf(createBrowserRouter(table, { hydrationData }))); }),
    // The page can still be read and its links followed.
    (error: unknown) => { if (claimReload(error)) window.location.reload(); },
  );
} else {
  createRoot(root).render(interfaceOf(createBrowserRouter(table)));
}
