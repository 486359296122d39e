// Schema of an email to students; the server validates last.
import * as z from 'zod/mini';

export type EmailWords = { subject: string; body: string };

export const emailSchema = z.object({
  subject: z.string().check(z.trim(), z.minLength(2, 'Subject is required')),
  body: z.string().check(z.trim(), z.minLength(10, 'Write at least 10 characters')),
});
