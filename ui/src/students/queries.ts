// Queries of the student's own account.
import { mutationOptions, queryOptions } from '@tanstack/react-query';
import { deleteJson, getJson, patchJson, postJson, putJson } from '../api.ts';
import type { GuardianInput, PasswordChange } from '../api-types.ts';
import type { BodyOf } from '../endpoints.ts';
import type { components } from '../openapi.ts';
import type { ProfileValues } from './profile.ts';

type Schemas = components['schemas'];

export const logInStudent = mutationOptions({
  mutationKey: ['students', 'log-in'],
  meta: { isLogin: true },
  mutationFn: (credentials: Schemas['StudentCredentials']) =>
    postJson('/api/students/login', credentials).then(({ student }) => student),
});

export const logOutStudent = mutationOptions({
  mutationKey: ['students', 'log-out'],
  mutationFn: () => postJson('/api/students/logout'),
});

export const registerStudent = mutationOptions({
  mutationKey: ['students', 'register'],
  mutationFn: (registration: Schemas['Registration']) => postJson('/api/students/register', registration),
});

/** A link can be opened twice, so it can be a query. */
export const verificationQuery = (token: string) =>
  queryOptions({
    queryKey: ['students', 'verify', token],
    queryFn: ({ signal }) => getJson(`/api/students/verify/${encodeURIComponent(token)}`, signal),
  });

export const resendVerification = mutationOptions({
  mutationKey: ['students', 'resend-verification'],
  mutationFn: (account: Schemas['AccountEmail']) => postJson('/api/students/resend-verification', account),
});

export const forgotPassword = mutationOptions({
  mutationKey: ['students', 'forgot-password'],
  mutationFn: (account: Schemas['AccountEmail']) => postJson('/api/students/forgot-password', account),
});

export const resetPassword = mutationOptions({
  mutationKey: ['students', 'reset-password'],
  mutationFn: (reset: Schemas['PasswordReset']) => postJson('/api/students/reset-password', reset),
});

export const disownAccount = mutationOptions({
  mutationKey: ['students', 'not-me'],
  mutationFn: (link: Schemas['LinkToken']) => postJson('/api/students/not-me', link),
});

export const undoEmailChange = mutationOptions({
  mutationKey: ['students', 'undo-email-change'],
  mutationFn: (link: Schemas['LinkToken']) => postJson('/api/students/undo-email-change', link),
});

export const updateProfile = mutationOptions({
  mutationKey: ['students', 'update'],
  // As typed: the server normalizes it.
  mutationFn: (profile: Partial<ProfileValues> & { version?: number }) => patchJson('/api/students/me', profile as BodyOf<'patch', '/api/students/me'>[0]),
});

/** Refetched whenever it is shown: the office may have changed it. */
export const ownGuardiansQuery = queryOptions({
  queryKey: ['students', 'guardians'],
  queryFn: ({ signal }) => getJson('/api/students/guardians', signal),
  staleTime: 0,
});

export const replaceGuardians = mutationOptions({
  mutationKey: ['students', 'replace-guardians'],
  mutationFn: (guardians: GuardianInput[]) => putJson('/api/students/guardians', guardians),
});

/** Whether the guardians keep the family page from 18 on. */
export const familyPageQuery = queryOptions({
  queryKey: ['students', 'family-page'],
  queryFn: ({ signal }) => getJson('/api/students/family-page', signal),
});

export const keepFamilyPage = mutationOptions({
  mutationKey: ['students', 'keep-family-page'],
  mutationFn: (isKept: boolean) => putJson('/api/students/family-page', { isKept }),
});

export const changePassword = mutationOptions({
  mutationKey: ['students', 'change-password'],
  mutationFn: (change: PasswordChange) => postJson('/api/students/password', change),
});

/** The account's signed-in devices; refetched whenever it is shown. */
export const sessionsQuery = queryOptions({
  queryKey: ['students', 'sessions'],
  queryFn: ({ signal }) => getJson('/api/students/sessions', signal),
  staleTime: 0,
});

export const endSession = mutationOptions({
  mutationKey: ['students', 'end-session'],
  mutationFn: (id: string) => deleteJson(`/api/students/sessions/${id}`),
});

export const endOtherSessions = mutationOptions({
  mutationKey: ['students', 'end-other-sessions'],
  mutationFn: () => deleteJson('/api/students/sessions'),
});
