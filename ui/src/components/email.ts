// Email validation. The rule is the server's (src/base/email.rs); a form only refuses what plainly is no address, in
// section 5's words.
import * as z from 'zod/mini';

/** Removes invisible characters and a display name from a pasted address. */
const tidy = (typed: string) => typed.replace(/\p{Cf}/gu, '').replace(/^[^@]*<(.*)>\s*$/, '$1').trim();

export const email = (message = 'Please enter a valid email address') =>
  z.string().check(z.overwrite(tidy), z.regex(/@[^@]+\.[^@]/, message));
