// Route guards of the portals, loaded with their first page: the public site needs none of it.
import type { QueryClient } from '@tanstack/react-query';
import { type LoaderFunction, type LoaderFunctionArgs, type Params, redirect, replace } from 'react-router';
import type { Duty, Page } from '../pages.ts';
import { loadSignedIn, destination, type Portal, portals } from './session.ts';
import { userQuery } from './signedIn.ts';

/** Whether an address is in the browser's history already: typed, reached from elsewhere, or by Back. */
const isThere = (url: string) => url === window.location.href.split('#')[0];

/**
 * Whether the server redirects this browser from a portal's page: to the login without a session, away from it with
 * one. Unlike asking for the signed-in user, this is no error for a visitor. Null if it is unknown.
 */
async function isSentOn(url: string): Promise<boolean | null> {
  // A page that came from the server was not redirected; in development Vite sends the pages.
  if (!document.getElementById('boot') || isThere(url)) return null;
  return fetch(url, { method: 'HEAD', redirect: 'manual' }).then(({ type }) => type === 'opaqueredirect', () => null);
}

/** Asks the server unless a signed-in user is known: a cached "signed out" may be out of date. */
async function whoIsHere(client: QueryClient, portal: Portal, url: string, isLogin: boolean): Promise<{ id: number } | null> {
  const known = client.getQueryData<{ id: number }>(portals[portal].who.queryKey);
  return known ?? ((await isSentOn(url)) === !isLogin ? null : loadSignedIn(client, portal));
}

/** Redirects without leaving a history entry that would redirect again on Back. */
const sendOn = (url: string, to: string) => (isThere(url) ? replace : redirect)(to);

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
const guard = (client: QueryClient, portal: Portal, prefetch = nothing, duty?: Duty) => async ({ request, params }: LoaderFunctionArgs) => {
  const { pathname, search } = new URL(request.url);
  if (await whoIsHere(client, portal, request.url, false)) {
    const mayRead = !duty || client.getQueryData(userQuery.queryKey)?.duties.includes(duty);
    const asked = Promise.all(mayRead ? prefetch(client, new URLSearchParams(search), params) : []);
    await Promise.race([asked, new Promise((resolve) => setTimeout(resolve, patience_ms))]);
    return null;
  }
  const { home, login } = portals[portal];
  throw sendOn(request.url, pathname + search === home ? login : `${login}?${new URLSearchParams({ next: pathname + search })}`);
};

/** Guard of a login page: redirects a signed-in user. */
const lobby = (client: QueryClient, portal: Portal) => async ({ request }: LoaderFunctionArgs) => {
  // After a logout.
  if (client.getQueryData(portals[portal].who.queryKey) === null) return null;
  // Show the form even if the server cannot be reached.
  const user = await whoIsHere(client, portal, request.url, true).catch(() => null);
  if (user) throw sendOn(request.url, destination(portal, new URL(request.url).search));
  return null;
};

/** At any other address of a portal. */
export const toLogin = (path: string) => ({ request }: LoaderFunctionArgs) => {
  const portal = portalOf(path);
  const next = new URL(request.url).searchParams.get('next');
  throw sendOn(request.url, next ? `${portals[portal].login}?${new URLSearchParams({ next })}` : portals[portal].login);
};

const portalOf = (path: string): Portal => (path.startsWith('/student/') ? 'student' : 'staff');

/** A page's guard: a login redirects signed-in users, a portal everyone else; the other ways into an account are open. */
export function guardOf(client: QueryClient, { area, path, catches, duty }: Page): ((prefetch?: Prefetch) => LoaderFunction) | null {
  if (catches) return () => lobby(client, portalOf(path));
  return area === 'account' ? null : (prefetch) => guard(client, portalOf(path), prefetch, duty);
}
