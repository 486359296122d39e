// What stands in front of the portals' pages. Loaded with the first of them: a visitor of the public
// site needs none of it.
import type { QueryClient } from '@tanstack/react-query';
import { type LoaderFunctionArgs, type Params, redirect, replace } from 'react-router';
import type { Duty } from '../pages.ts';
import { askWho, destination, type Portal, portals } from './session.ts';
import { userQuery } from './signedIn.ts';

/** Asks only when nobody is known to be here: what was nobody may be somebody by now. */
async function whoIsHere(client: QueryClient, portal: Portal): Promise<{ id: number } | null> {
  return client.getQueryData<{ id: number }>(portals[portal].who.queryKey) ?? (await askWho(client, portal));
}

/**
 * Redirects without leaving a history entry that would redirect again on Back. One that was typed, followed
 * from elsewhere or gone back to is in the browser's history already; one that a link of a page names is not.
 */
function sendOn(url: string, to: string) {
  return (url === window.location.href.split('#')[0] ? replace : redirect)(to);
}

/** How long a page waits for its data before it is shown with placeholders. */
const patience_ms = 400;

/** Asks for what a page will show, by its address; failures are the page's to show. A page's file exports it beside the page. */
export type Prefetch = (client: QueryClient, parameters: URLSearchParams, parts: Readonly<Params>) => Promise<unknown>[];

const nothing: Prefetch = () => [];

/**
 * In front of a portal's page: nobody gets in without having signed in. What the page will show is
 * asked for meanwhile, so that on a good line it comes whole instead of in pieces; what a role may not
 * read is not asked for.
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

/** In front of a login page: whoever is signed in goes straight on. */
export const lobby = (client: QueryClient, portal: Portal) => async ({ request }: LoaderFunctionArgs) => {
  // A server that cannot be asked is no reason to hide the form.
  const somebody = await whoIsHere(client, portal).catch(() => null);
  if (somebody) throw sendOn(request.url, destination(portal, new URL(request.url).search));
  return null;
};

/** At any other address of a portal. */
export const toLogin = (portal: Portal) => ({ request }: LoaderFunctionArgs) => {
  const next = new URL(request.url).searchParams.get('next');
  throw sendOn(request.url, next ? `${portals[portal].login}?${new URLSearchParams({ next })}` : portals[portal].login);
};
