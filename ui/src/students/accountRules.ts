// What a new account, a new password and an address must be: section 5, word for word.
import * as z from 'zod/mini';

const email = z.string().check(z.trim(), z.email('Please enter a valid email address'));
const newPassword = z.string().check(z.minLength(8, 'Password must be at least 8 characters'));
const repeated = z.refine<{ password: string; confirmPassword: string }>(
  (form) => form.password === form.confirmPassword,
  { message: "Passwords don't match", path: ['confirmPassword'] },
);

export const registrationSchema = z.object({ email, password: newPassword, confirmPassword: newPassword }).check(repeated);
export const newPasswordSchema = z.object({ password: newPassword, confirmPassword: newPassword }).check(repeated);
export const accountEmailSchema = z.object({ email });
