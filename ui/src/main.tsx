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

const root = document.getElementById('root') as HTMLElement;

const table = routes(queryClient);

/** Marks a prerendered page as interactive. */
function Live({ children }: { children: ReactElement }) {
  useEffect(() => root.removeAttribute('data-drawn'), []);
  return children;
}

const interfaceOf = (router: ReturnType<typeof createBrowserRouter>) => (
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <Live><RouterProvider router={router} /></Live>
    </QueryClientProvider>
  </StrictMode>
);

/** Loads the routes of this address, which hydration needs, and returns the data of their loaders. */
async function loadMatched(all: RouteObject[]) {
  const matched = matchRoutes(all, window.location) ?? [];
  await Promise.all(matched.map(async ({ route }) => Object.assign(route, await (route.lazy as LazyRouteFunction<RouteObject> | undefined)?.(), { lazy: undefined })));
  // Visitors alone get a login page, so its guard need not ask.
  return Object.fromEntries(matched.map(({ route }) => [route.id, null]));
}

const open = (loaderData: object | null) => createBrowserRouter(table, loaderData ? { hydrationData: { loaderData } } : {});

// The server does not know the state that the browser keeps with a history entry.
if (boot && root.dataset.drawn === '' && !(history.state as { usr?: unknown } | null)?.usr) {
  loadMatched(table).then(
    (loaderData) => startTransition(() => { hydrateRoot(root, interfaceOf(open({ ...loaderData, school: boot.school }))); }),
    // The page can be read and its links followed all the same.
    (error: unknown) => { if (claimReload(error)) window.location.reload(); },
  );
} else {
  const router = open(boot && { school: boot.school });
  const show = () => createRoot(root).render(interfaceOf(router));
  if (boot && !router.state.initialized) {
    // The prerendered frame stays until the page can replace it.
    const end = router.subscribe(({ initialized }) => {
      if (!initialized) return;
      end();
      show();
    });
  } else show();
}
