// What a new account and an address must be: section 5, word for word.
import * as z from 'zod/mini';
import { email } from '../components/email.ts';
import { newPassword, repeated } from '../components/newPassword.ts';

export const registrationSchema = z.object({ email: email(), password: newPassword, confirmPassword: newPassword }).check(repeated);
export const accountEmailSchema = z.object({ email: email() });
