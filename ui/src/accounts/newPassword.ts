// Rules for a new password and its confirmation, in section 5's words.
import * as z from 'zod/mini';

export const newPassword = z.string().check(z.minLength(8, 'Password must be at least 8 characters'));
export const repeated = z.refine<{ password: string; confirmPassword: string }>(
  // The server compares normalized letters.
  (form) => form.password.normalize('NFKC') === form.confirmPassword.normalize('NFKC'),
  { message: "Passwords don't match", path: ['confirmPassword'] },
);

export const newPasswordSchema = z.object({ password: newPassword, confirmPassword: newPassword }).check(repeated);
