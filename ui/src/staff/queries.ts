// Queries of the signed-in staff member and of staff accounts.
import { mutationOptions, queryOptions } from '@tanstack/react-query';
import { deleteJson, getJson, getRows, patchJson, postJson, putJson } from '../api.ts';
import type { PasswordChange, Role, StaffRow } from '../api-types.ts';
import { list_fresh_ms } from '../components/useListView.ts';
import type { components } from '../openapi.ts';

type Schemas = components['schemas'];

export const logInStaff = mutationOptions({
  mutationKey: ['staff', 'log-in'],
  meta: { isLogin: true },
  mutationFn: (credentials: Schemas['StaffCredentials']) => postJson('/api/login', credentials),
});

export const logOutStaff = mutationOptions({
  mutationKey: ['staff', 'log-out'],
  mutationFn: () => postJson('/api/logout'),
});

export const resetPassword = mutationOptions({
  mutationKey: ['staff', 'reset-password'],
  mutationFn: (reset: Schemas['PasswordReset']) => postJson('/api/reset-password', reset),
});

export const changePassword = mutationOptions({
  mutationKey: ['staff', 'change-password'],
  mutationFn: (change: PasswordChange) => postJson('/api/user/password', change),
});

/** The account's signed-in devices; refetched whenever it is shown. */
export const sessionsQuery = queryOptions({
  queryKey: ['staff', 'sessions'],
  queryFn: ({ signal }) => getJson('/api/user/sessions', signal),
  staleTime: 0,
});

export const endSession = mutationOptions({
  mutationKey: ['staff', 'end-session'],
  mutationFn: (id: string) => deleteJson(`/api/user/sessions/${id}`),
});

export const endOtherSessions = mutationOptions({
  mutationKey: ['staff', 'end-other-sessions'],
  mutationFn: () => deleteJson('/api/user/sessions'),
});

export const forgotPassword = mutationOptions({
  mutationKey: ['staff', 'forgot-password'],
  mutationFn: (account: Schemas['ForgottenName']) => postJson('/api/forgot-password', account),
});

export const changeEmail = mutationOptions({
  mutationKey: ['staff', 'change-email'],
  mutationFn: (change: Schemas['StaffEmailChange']) => postJson('/api/user/email', change),
});

export const setDigest = mutationOptions({
  mutationKey: ['staff', 'set-digest'],
  mutationFn: (isOn: boolean) => putJson('/api/user/digest', { isOn }),
});

export const confirmEmail = mutationOptions({
  mutationKey: ['staff', 'confirm-email'],
  mutationFn: (link: Schemas['StaffLinkToken']) => postJson('/api/confirm-email', link),
});

/** An invitation by its link; reading it does not use it up. */
export const invitationQuery = (token: string) =>
  queryOptions({
    queryKey: ['staff', 'invitation', token],
    queryFn: ({ signal }) => getJson(`/api/staff/invitations/${encodeURIComponent(token)}`, signal),
    retry: false,
  });

export const acceptInvitation = mutationOptions({
  mutationKey: ['staff', 'accept-invitation'],
  mutationFn: ({ token, ...account }: { token: string } & Schemas['StaffAcceptance']) =>
    postJson(`/api/staff/invitations/${encodeURIComponent(token)}`, account),
});

export const colleaguesKey = ['staff', 'colleagues'] as const;

export const staffQuery = queryOptions({
  queryKey: [...colleaguesKey, 'accounts'],
  queryFn: ({ signal }) => getRows('/api/admin/staff', signal),
  staleTime: list_fresh_ms,
});

export const invitationsQuery = queryOptions({
  queryKey: [...colleaguesKey, 'invitations'],
  queryFn: ({ signal }) => getJson('/api/admin/staff/invitations', signal),
  staleTime: list_fresh_ms,
});

/** What each role may do, in words. */
export const rolesQuery = queryOptions({
  queryKey: ['staff', 'roles'],
  queryFn: ({ signal }) => getJson('/api/admin/staff/roles', signal),
});

export const inviteColleague = mutationOptions({
  mutationKey: [...colleaguesKey, 'invite'],
  mutationFn: (invitation: Schemas['StaffInvitationForm']) => postJson('/api/admin/staff/invitations', invitation),
});

export const answerInvitation = mutationOptions({
  mutationKey: [...colleaguesKey, 'answer'],
  mutationFn: ({ id, verb }: { id: number; verb: 'resend' | 'withdraw' }) => postJson(`/api/admin/staff/invitations/${id}/${verb}`),
});

export const changeColleague = mutationOptions({
  mutationKey: [...colleaguesKey, 'change'],
  mutationFn: ({ id, ...change }: { id: number } & Schemas['StaffChange']) => patchJson(`/api/admin/staff/${id}`, change),
});

/** What a colleague works on; with a role only what it does not allow. */
export const heldWorkQuery = (id: number, role?: Role) =>
  queryOptions({
    queryKey: [...colleaguesKey, 'work', id, role ?? null],
    queryFn: ({ signal }) => getJson(`/api/admin/staff/${id}/work${role ? (`?role=${role}` as const) : ''}`, signal),
    staleTime: 0,
  });

/** Disables an account as it was seen, and hands over its work. */
export const disableColleague = ({ id, version }: Pick<StaffRow, 'id' | 'version'>, handOverTo: number | null) => postJson(`/api/admin/staff/${id}/disable`, { handOverTo, version });

/** Account actions without a form, each an endpoint. */
export type StaffVerb = 'enable' | 'end-sessions' | 'send-password-link' | 'reset-second-factor';

export const actOnColleague = mutationOptions({
  mutationKey: [...colleaguesKey, 'act'],
  mutationFn: ({ id, verb }: { id: number; verb: StaffVerb }) => postJson(`/api/admin/staff/${id}/${verb}`),
});
