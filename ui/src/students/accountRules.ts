// What a new account and an address must be: section 5, word for word.
import * as z from 'zod/mini';
import { newPassword, repeated } from '../components/newPassword.ts';

const email = z.string().check(z.trim(), z.email('Please enter a valid email address'));

export const registrationSchema = z.object({ email, password: newPassword, confirmPassword: newPassword }).check(repeated);
export const accountEmailSchema = z.object({ email });
