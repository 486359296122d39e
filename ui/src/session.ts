// Who is signed in, at which of the two doors, and what follows from it: the guards in front of
// the portals, the way back to where a person wanted to go, and what other tabs are told.
import type { QueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { type LoaderFunctionArgs, redirect } from 'react-router';
import { paths } from './paths.ts';
import { userQuery } from './staff/queries.ts';
import { studentQuery } from './students/queries.ts';

export const doors = {
  student: {
    prefix: '/student/',
    home: paths.studentDashboard(),
    login: paths.studentAuth,
    // Where section 2 sends whoever is not logged in; from there it goes on to the login page.
    closed: '/student/login',
    who: studentQuery,
  },
  staff: {
    prefix: '/admin/',
    home: paths.adminDashboard,
    login: paths.adminLogin,
    closed: paths.adminLogin,
    who: userQuery,
  },
} as const;

export type Door = keyof typeof doors;

/** Asks the server who is signed in. */
export function askWho(client: QueryClient, door: Door): Promise<{ id: number } | null> {
  return door === 'student'
    ? client.fetchQuery({ ...studentQuery, staleTime: 0 })
    : client.fetchQuery({ ...userQuery, staleTime: 0 });
}

/** Asks only when nobody is known to be here: what was nobody may be somebody by now. */
async function whoIsHere(client: QueryClient, door: Door): Promise<{ id: number } | null> {
  return client.getQueryData<{ id: number }>(doors[door].who.queryKey) ?? (await askWho(client, door));
}

/** In front of a portal's page: nobody gets in without having signed in. */
export const guard = (client: QueryClient, door: Door) => async ({ request }: LoaderFunctionArgs) => {
  if (await whoIsHere(client, door)) return null;
  const { pathname, search } = new URL(request.url);
  const { home, closed } = doors[door];
  throw redirect(pathname + search === home ? closed : `${closed}?${new URLSearchParams({ next: pathname + search })}`);
};

/** In front of a login page: whoever is signed in goes straight on. */
export const lobby = (client: QueryClient, door: Door) => async ({ request }: LoaderFunctionArgs) => {
  // A server that cannot be asked is no reason to hide the form.
  const somebody = await whoIsHere(client, door).catch(() => null);
  if (somebody) throw redirect(destination(door, new URL(request.url).search));
  return null;
};

/** At any other address of a portal. */
export const toLogin = (door: Door) => ({ request }: LoaderFunctionArgs) => {
  const next = new URL(request.url).searchParams.get('next');
  throw redirect(next ? `${doors[door].login}?${new URLSearchParams({ next })}` : doors[door].login);
};

/** Where a person goes after signing in: where they wanted to go, if that is inside this portal. */
export function destination(door: Door, search: string): string {
  const { prefix, home, login } = doors[door];
  const next = new URLSearchParams(search).get('next');
  if (!next?.startsWith(prefix)) return home;
  const url = new URL(next, 'https://this.invalid');
  const isInside = url.origin === 'https://this.invalid' && url.pathname.startsWith(prefix) && url.pathname !== login;
  return isInside ? url.pathname + url.search : home;
}

const isPublic = (key: readonly unknown[]) => key[0] === 'school' || (key[0] === 'courses' && key.length === 1);

/** Forgets everything but what anybody may read. */
export function forgetPrivateData(client: QueryClient) {
  client.removeQueries({ predicate: ({ queryKey }) => !isPublic(queryKey) });
}

// ── Sessions that end by themselves ─────────────────────────────────────────────────────────────

let hasEnded = false;
const listeners = new Set<() => void>();

/** An answer said that nobody is signed in any more. */
export function reportEnd(ended: boolean) {
  hasEnded = ended;
  for (const listener of listeners) listener();
}

export function useHasEnded(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    () => hasEnded,
  );
}

// ── Other tabs ──────────────────────────────────────────────────────────────────────────────────

const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('schoolhouse');

/** Tells the other tabs that the person at this door came or went. */
export function tellOtherTabs(door: Door) {
  // A channel has no target to name: only this site's own pages hear it.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  channel?.postMessage(door);
}

export function onOtherTab(door: Door, listener: () => void): () => void {
  const hear = (event: MessageEvent) => event.data === door && listener();
  channel?.addEventListener('message', hear);
  return () => channel?.removeEventListener('message', hear);
}
