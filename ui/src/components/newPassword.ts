// What a new password and its repetition must be, whoever it belongs to: section 5, word for word.
import * as z from 'zod/mini';

export const newPassword = z.string().check(z.minLength(8, 'Password must be at least 8 characters'));
export const repeated = z.refine<{ password: string; confirmPassword: string }>(
  (form) => form.password === form.confirmPassword,
  { message: "Passwords don't match", path: ['confirmPassword'] },
);

export const newPasswordSchema = z.object({ password: newPassword, confirmPassword: newPassword }).check(repeated);
