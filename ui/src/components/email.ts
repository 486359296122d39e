// The rule of an address is the server's (src/base/email.rs), which says what is wrong with one, too. A form only
// refuses what plainly is none, with section 5's words.
import * as z from 'zod/mini';

/** What was pasted, without unseen characters and the name before the address. */
const tidy = (typed: string) => typed.replace(/\p{Cf}/gu, '').replace(/^[^@]*<(.*)>\s*$/, '$1').trim();

export const email = (message = 'Please enter a valid email address') =>
  z.string().check(z.overwrite(tidy), z.regex(/@[^@]+\.[^@]/, message));
