// The rule for a new username, in the server's words (src/staff/members.rs; a test there reads this file).
import * as z from 'zod/mini';

export const username = z
  .string()
  .check(z.trim(), z.minLength(1, 'Username is required'), z.regex(/^[A-Za-z0-9._-]{1,64}$/, 'Username must be 1 to 64 letters (a to z), digits or . _ -'));
