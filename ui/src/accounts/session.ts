// The two portals: who is signed in to each, where a person goes who logs in, what is forgotten when
// they leave, and what other tabs hear.
import type { QueryClient } from '@tanstack/react-query';
import { paths } from '../paths.ts';
import { reportEnd } from './sessionEnd.ts';
import { studentQuery, userQuery } from './signedIn.ts';

export const portals = {
  student: {
    prefix: '/student/',
    home: paths.studentDashboard(),
    login: paths.studentAuth,
    who: studentQuery,
  },
  staff: {
    prefix: '/admin/',
    home: paths.adminDashboard,
    login: paths.adminLogin,
    who: userQuery,
  },
} as const;

export type Portal = keyof typeof portals;

/** Somebody has just signed in, here: this tab knows them, an earlier end is past, other tabs look again. */
export function signIn(client: QueryClient, portal: Portal, person: { id: number }) {
  client.setQueryData(portals[portal].who.queryKey as readonly unknown[], person);
  reportEnd(false);
  notifyOtherTabs(portal);
}

/** Asks the server who is signed in. */
export function askWho(client: QueryClient, portal: Portal): Promise<{ id: number } | null> {
  return portal === 'student'
    ? client.fetchQuery({ ...studentQuery, staleTime: 0 })
    : client.fetchQuery({ ...userQuery, staleTime: 0 });
}

/** Where a person goes after signing in: where they wanted to go, if that is inside this portal. */
export function destination(portal: Portal, search: string): string {
  const { prefix, home, login } = portals[portal];
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

const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('schoolhouse');

/** Lets the other tabs know that the person in this portal came or went. */
export function notifyOtherTabs(portal: Portal) {
  // A channel has no target to name: only this site's own pages hear it.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  channel?.postMessage(portal);
}

export function onOtherTab(portal: Portal, listener: () => void): () => void {
  const hear = (event: MessageEvent) => event.data === portal && listener();
  channel?.addEventListener('message', hear);
  return () => channel?.removeEventListener('message', hear);
}
