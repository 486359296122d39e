// The signed-in member of the staff.
import { mutationOptions, queryOptions } from '@tanstack/react-query';
import { deleteJson, getJson, getSomebody, postJson } from '../api.ts';
import type { Answer, PasswordChange, SignedIn, User } from '../api-types.ts';
import type { components } from '../openapi.ts';

/** Who is signed in to the office, or null. */
export const userQuery = queryOptions({
  queryKey: ['staff', 'me'],
  queryFn: ({ signal }) => getSomebody<User>('/api/user', signal),
});

export const logInStaff = mutationOptions({
  mutationKey: ['staff', 'log-in'],
  meta: { isLogin: true },
  mutationFn: (credentials: components['schemas']['StaffCredentials']) => postJson<User>('/api/login', credentials),
});

export const logOutStaff = mutationOptions({
  mutationKey: ['staff', 'log-out'],
  mutationFn: () => postJson<void>('/api/logout'),
});

export const resetPassword = mutationOptions({
  mutationKey: ['staff', 'reset-password'],
  mutationFn: (reset: components['schemas']['PasswordReset']) => postJson<Answer>('/api/reset-password', reset),
});

export const changePassword = mutationOptions({
  mutationKey: ['staff', 'change-password'],
  mutationFn: (change: PasswordChange) => postJson<Answer>('/api/user/password', change),
});

/** Where this account is signed in; asked for anew whenever it is shown. */
export const sessionsQuery = queryOptions({
  queryKey: ['staff', 'sessions'],
  queryFn: ({ signal }) => getJson<SignedIn[]>('/api/user/sessions', signal),
  staleTime: 0,
});

export const endSession = mutationOptions({
  mutationKey: ['staff', 'end-session'],
  mutationFn: (id: string) => deleteJson<void>(`/api/user/sessions/${id}`),
});

export const endOtherSessions = mutationOptions({
  mutationKey: ['staff', 'end-other-sessions'],
  mutationFn: () => deleteJson<void>('/api/user/sessions'),
});
