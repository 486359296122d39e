// Route guards of the portals, loaded with their first page: the public site needs none of it.
import type { QueryClient } from '@tanstack/react-query';
import { type LoaderFunctionArgs, type Params, redirect, replace } from 'react-router';
import type { Duty } from '../pages.ts';
import { loadSignedIn, destination, type Portal, portals } from './session.ts';
import { userQuery } from './signedIn.ts';

/** Asks the server unless a signed-in user is known: a cached "signed out" may be out of date. */
async function whoIsHere(client: QueryClient, portal: Portal): Promise<{ id: number } | null> {
  return client.getQueryData<{ id: number }>(portals[portal].who.queryKey) ?? (await loadSignedIn(client, portal));
}

/**
 * Redirects without leaving a history entry that would redirect again on Back. Addresses that were typed or reached
 * from elsewhere are in the history already; those of a link in a page are not.
 */
function sendOn(url: string, to: string) {
  return (url === window.location.href.split('#')[0] ? replace : redirect)(to);
}

/** How long a page waits for its data before it is shown with placeholders. */
const patience_ms = 400;

/** Prefetches a page's data by its address; the page shows failures. Exported from the page's file. */
export type Prefetch = (client: QueryClient, parameters: URLSearchParams, parts: Readonly<Params>) => Promise<unknown>[];

const nothing: Prefetch = () => [];

/**
 * Guard of a portal's page: redirects to the login without a session. The page's data is
 * prefetched, so that on a fast connection it renders at once; what a role may not
 * read is not requested.
 */
export const guard = (client: QueryClient, portal: Portal, prefetch = nothing, duty?: Duty) => async ({ request, params }: LoaderFunctionArgs) => {
  const { pathname, search } = new URL(request.url);
  if (await whoIsHere(client, portal)) {
    const mayRead = !duty || client.getQueryData(userQuery.queryKey)?.duties.includes(duty);
    const asked = Promise.all(mayRead ? prefetch(client, new URLSearchParams(search), params) : []);
    await Promise.race([asked, new Promise((resolve) => setTimeout(resolve, patience_ms))]);
    return null;
  }
  const { home, login } = portals[portal];
  throw sendOn(request.url, pathname + search === home ? login : `${login}?${new URLSearchParams({ next: pathname + search })}`);
};

/** Guard of a login page: redirects a signed-in user. */
export const lobby = (client: QueryClient, portal: Portal) => async ({ request }: LoaderFunctionArgs) => {
  // Show the form even if the server cannot be reached.
  const user = await whoIsHere(client, portal).catch(() => null);
  if (user) throw sendOn(request.url, destination(portal, new URL(request.url).search));
  return null;
};

/** At any other address of a portal. */
export const toLogin = (portal: Portal) => ({ request }: LoaderFunctionArgs) => {
  const next = new URL(request.url).searchParams.get('next');
  throw sendOn(request.url, next ? `${portals[portal].login}?${new URLSearchParams({ next })}` : portals[portal].login);
};
