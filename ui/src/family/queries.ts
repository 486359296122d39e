// Queries of the family page. It needs no account: a mailed link begins a session.
import { mutationOptions, queryOptions } from '@tanstack/react-query';
import { ApiError, deleteJson, getJson, isSignedOut, postJson } from '../api.ts';
import type { BodyOf } from '../endpoints.ts';
import { list_fresh_ms } from '../components/useListView.ts';

const root = ['family'];

/** The family page; with a link's token it begins a session. Null without a session, and after a dead link. */
export const familyQuery = (token?: string) =>
  queryOptions({
    queryKey: root,
    queryFn: async ({ signal }) => {
      try {
        return token ? await postJson('/api/family/session', { token }) : await getJson('/api/family', signal);
      } catch (error) {
        if (isSignedOut(error) || (token && error instanceof ApiError && error.status === 404)) return null;
        throw error;
      }
    },
    staleTime: list_fresh_ms,
  });

export const askForLink = mutationOptions({
  mutationKey: [...root, 'link'],
  meta: { isLogin: true },
  mutationFn: (email: { email: string }) => postJson('/api/family/link', email),
});

/** Ends the session of this browser. */
export const endSession = () => deleteJson('/api/family/session');

type Confirmation = BodyOf<'post', '/api/family/enrollments/{id}/confirm'>[0];

export const confirmRequest = mutationOptions({
  mutationKey: [...root, 'confirm'],
  mutationFn: ({ id, ...confirmation }: { id: number } & Confirmation) => postJson(`/api/family/enrollments/${id}/confirm`, confirmation),
});

export const refuseRequest = mutationOptions({
  mutationKey: [...root, 'refuse'],
  mutationFn: ({ id, reason }: { id: number; reason: string }) => postJson(`/api/family/enrollments/${id}/refuse`, { reason }),
});
