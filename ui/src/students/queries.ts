// The student's own account.
import { mutationOptions, queryOptions } from '@tanstack/react-query';
import { deleteJson, getJson, getSomebody, patchJson, postJson } from '../api.ts';
import type { Answer, PasswordChange, SignedIn, Student } from '../api-types.ts';
import type { components } from '../openapi.ts';
import type { ProfileValues } from './profile.ts';

type Schemas = components['schemas'];

/** The signed-in student, or null. */
export const studentQuery = queryOptions({
  queryKey: ['students', 'me'],
  queryFn: ({ signal }) => getSomebody<Student>('/api/students/me', signal),
});

export const logInStudent = mutationOptions({
  mutationKey: ['students', 'log-in'],
  meta: { isLogin: true },
  mutationFn: (credentials: Schemas['StudentCredentials']) =>
    postJson<{ student: Student }>('/api/students/login', credentials).then(({ student }) => student),
});

export const logOutStudent = mutationOptions({
  mutationKey: ['students', 'log-out'],
  mutationFn: () => postJson<void>('/api/students/logout'),
});

export const registerStudent = mutationOptions({
  mutationKey: ['students', 'register'],
  mutationFn: (registration: Schemas['Registration']) => postJson<Answer>('/api/students/register', registration),
});

/** Opening a link twice succeeds twice, so it may be asked for like any other data. */
export const verificationQuery = (token: string) =>
  queryOptions({
    queryKey: ['students', 'verify', token],
    queryFn: ({ signal }) => getJson<Answer>(`/api/students/verify/${encodeURIComponent(token)}`, signal),
  });

export const resendVerification = mutationOptions({
  mutationKey: ['students', 'resend-verification'],
  mutationFn: (account: Schemas['AccountEmail']) => postJson<Answer>('/api/students/resend-verification', account),
});

export const forgotPassword = mutationOptions({
  mutationKey: ['students', 'forgot-password'],
  mutationFn: (account: Schemas['AccountEmail']) => postJson<Answer>('/api/students/forgot-password', account),
});

export const resetPassword = mutationOptions({
  mutationKey: ['students', 'reset-password'],
  mutationFn: (reset: Schemas['PasswordReset']) => postJson<Answer>('/api/students/reset-password', reset),
});

export const disownAccount = mutationOptions({
  mutationKey: ['students', 'not-me'],
  mutationFn: (link: Schemas['LinkToken']) => postJson<Answer>('/api/students/not-me', link),
});

export const undoEmailChange = mutationOptions({
  mutationKey: ['students', 'undo-email-change'],
  mutationFn: (link: Schemas['LinkToken']) => postJson<Answer>('/api/students/undo-email-change', link),
});

export const updateProfile = mutationOptions({
  mutationKey: ['students', 'update'],
  // As it was typed: the server judges which words are ones.
  mutationFn: (profile: Partial<ProfileValues>) => patchJson<Student>('/api/students/me', profile),
});

export const changePassword = mutationOptions({
  mutationKey: ['students', 'change-password'],
  mutationFn: (change: PasswordChange) => postJson<Answer>('/api/students/password', change),
});

/** Where this account is signed in; asked for anew whenever it is shown. */
export const sessionsQuery = queryOptions({
  queryKey: ['students', 'sessions'],
  queryFn: ({ signal }) => getJson<SignedIn[]>('/api/students/sessions', signal),
  staleTime: 0,
});

export const endSession = mutationOptions({
  mutationKey: ['students', 'end-session'],
  mutationFn: (id: string) => deleteJson<void>(`/api/students/sessions/${id}`),
});

export const endOtherSessions = mutationOptions({
  mutationKey: ['students', 'end-other-sessions'],
  mutationFn: () => deleteJson<void>('/api/students/sessions'),
});
