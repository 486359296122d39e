// Rules for registration and email, in section 5's words.
import * as z from 'zod/mini';
import { newPassword, repeated } from '../accounts/newPassword.ts';
import { email } from '../components/email.ts';

export const registrationSchema = z.object({ email: email(), password: newPassword, confirmPassword: newPassword }).check(repeated);
export const accountEmailSchema = z.object({ email: email() });
