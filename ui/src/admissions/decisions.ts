// One admission request, and what the office decides about it.
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiError, failureWords, getJson, isSignedOut, patchJson, postJson } from '../api.ts';
import { list_fresh_ms } from '../components/useListView.ts';
import { showFailure } from '../components/toasts.ts';
import { requestsKey } from './queries.ts';
import type { Verb } from './requestWords.ts';
import type { EmailPreview } from '../api-types.ts';
import type { OffersPreview, OwnApplication, RequestFile, RequestRow } from './wire.ts';

export const requestQuery = (id: number) =>
  queryOptions({
    queryKey: [...requestsKey, 'request', id],
    queryFn: ({ signal }) => getJson(`/api/admin/admission-requests/${id}`, signal) as Promise<RequestFile>,
    staleTime: list_fresh_ms,
  });

/** A request as its family reads it. */
export const familyViewQuery = (id: number) =>
  queryOptions({
    queryKey: [...requestsKey, 'family', id],
    queryFn: ({ signal }) => getJson(`/api/admin/admission-requests/${id}/family`, signal) as Promise<OwnApplication>,
    staleTime: list_fresh_ms,
  });

/** The email of an offer, rendered by the server. */
export const offerPreviewQuery = (id: number, body: object) =>
  queryOptions({
    queryKey: [...requestsKey, 'offer', id, body],
    queryFn: () => postJson(`/api/admin/admission-requests/${id}/offer/preview`, body as never) as Promise<EmailPreview>,
    staleTime: list_fresh_ms,
  });

export const usualOfferQuery = queryOptions({
  queryKey: [...requestsKey, 'usual-offer'],
  queryFn: ({ signal }) => getJson('/api/admin/admission-requests/usual-offer', signal),
  staleTime: list_fresh_ms,
});

/** What an offer to many families would do. */
export const offersPreviewQuery = (ids: readonly number[], body: object) =>
  queryOptions({
    queryKey: [...requestsKey, 'offers', ids, body],
    queryFn: () => postJson('/api/admin/admission-requests/offer/preview', { ...body, ids } as never) as Promise<OffersPreview>,
    staleTime: list_fresh_ms,
  });

export const agreementsQuery = queryOptions({
  queryKey: ['texts', 'offer_agreement'],
  queryFn: ({ signal }) => getJson('/api/admin/texts?kind=offer_agreement', signal),
});

/** Decides about one request, as the office saw it. */
export function useDecide({ id, status }: Pick<RequestRow, 'id' | 'status'>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ verb, body = {} }: { verb: Verb; body?: object }) => postJson(`/api/admin/admission-requests/${id}/${verb}`, { ...body, expected: status } as never),
    onSettled: () => client.invalidateQueries({ queryKey: requestsKey }),
  });
}

/** Changes that are no decisions: the assignee, a note, a link to a student, that it is real. */
export function useChange(id: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ verb, body }: { verb: 'assign' | 'notes' | 'link' | 'real'; body: object }) => postJson(`/api/admin/admission-requests/${id}/${verb}`, body as never),
    onError: tellFailure,
    onSettled: () => client.invalidateQueries({ queryKey: requestsKey }),
  });
}

export const editRequest = (id: number, body: object) => patchJson(`/api/admin/admission-requests/${id}`, body as never);

export const stopMailbox = (id: number, email: string, reason: string) => postJson(`/api/admin/admission-requests/${id}/stop`, { email, reason });

export const resumeMailbox = (id: number, email: string) => postJson(`/api/admin/admission-requests/${id}/resume`, { email });

export const createRequest = (body: object) => postJson('/api/admin/admission-requests', body as never);

export const cancelAdmission = (id: number, reason: string) => postJson(`/api/admin/admissions/${id}/cancel`, { reason });

export type BulkVerb = 'offer' | 'ask' | 'waitlist' | 'decline';

/** Sends invitations again, unless a colleague has sent one after the newest that was seen. */
export const inviteAgain = (ids: readonly number[], lastInvitedAt: string | null) => postJson('/api/admin/admission-requests/invite', { ids: [...ids], lastInvitedAt });

export const decideMany = (verb: BulkVerb | 'remind', ids: readonly number[], body: object) => postJson(`/api/admin/admission-requests/${verb}`, { ...body, ids } as never);

export const sendLink = (email: string) => postJson('/api/applications/link', { email });

/** What went wrong with a decision; a colleague may have been first. */
export function decisionFailure(error: Error): string {
  return failureWords(error, error instanceof ApiError && error.status === 409 ? 'A colleague decided first. The page shows how it is now.' : 'It could not be saved. Please try again.');
}

export function tellFailure(error: Error) {
  if (!isSignedOut(error)) showFailure('Nothing was changed', decisionFailure(error));
}
