// The sessions of both portals: the signed-in user, the redirect after login, what a logout clears, and messages to
// other tabs.
import type { QueryClient } from '@tanstack/react-query';
import { paths } from '../paths.ts';
import { isTemplate } from '../template.tsx';
import { reportEnd } from './sessionEnd.ts';
import { studentQuery, userQuery } from './signedIn.ts';

export const portals = {
  student: {
    prefix: '/student/',
    home: paths.studentDashboard(),
    login: paths.studentAuth,
    logout: '/student/logout',
    who: studentQuery,
  },
  staff: {
    prefix: '/admin/',
    home: paths.adminDashboard,
    login: paths.adminLogin,
    logout: '/admin/logout',
    who: userQuery,
  },
} as const;

export type Portal = keyof typeof portals;

/** Records a login in this tab: sets the user, clears an earlier session end, and tells other tabs. */
export function signIn(client: QueryClient, portal: Portal, person: { id: number }) {
  client.setQueryData(portals[portal].who.queryKey as readonly unknown[], person);
  reportEnd(false);
  notifyOtherTabs(portal);
}

/** Loads the signed-in user. */
export function loadSignedIn(client: QueryClient, portal: Portal): Promise<{ id: number } | null> {
  return portal === 'student'
    ? client.fetchQuery({ ...studentQuery, staleTime: 0 })
    : client.fetchQuery({ ...userQuery, staleTime: 0 });
}

/** Destination after login: the requested page if it is inside this portal. */
export function destination(portal: Portal, search: string): string {
  const { prefix, home, login } = portals[portal];
  const next = new URLSearchParams(search).get('next');
  if (!next?.startsWith(prefix)) return home;
  const url = new URL(next, 'https://this.invalid');
  const isInside = url.origin === 'https://this.invalid' && url.pathname.startsWith(prefix) && url.pathname !== login;
  return isInside ? url.pathname + url.search : home;
}

const isPublic = (key: readonly unknown[]) => key[0] === 'school' || (key[0] === 'courses' && key.length === 1);

/** Clears everything except public data. */
export function forgetPrivateData(client: QueryClient) {
  client.removeQueries({ predicate: ({ queryKey }) => !isPublic(queryKey) });
}

const channel = isTemplate || typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('schoolhouse');

/** Tells other tabs about a login or logout. */
export function notifyOtherTabs(portal: Portal) {
  // A broadcast channel has no target origin: only this site's pages receive it.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  channel?.postMessage(portal);
}

export function onOtherTab(portal: Portal, listener: () => void): () => void {
  const hear = (event: MessageEvent) => event.data === portal && listener();
  channel?.addEventListener('message', hear);
  return () => channel?.removeEventListener('message', hear);
}
