// The signed-in member of the staff.
import { mutationOptions, queryOptions } from '@tanstack/react-query';
import { getSomebody, postJson } from '../api.ts';
import type { Answer, User } from '../api-types.ts';
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
  mutationFn: (reset: components['schemas']['StaffPasswordReset']) => postJson<Answer>('/api/reset-password', reset),
});
