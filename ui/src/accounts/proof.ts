// The schema of a second factor in a form: a code, or a passkey instead.
import * as z from 'zod/mini';
import type { GivenPasskey } from './passkey.ts';

export const proofFields = { code: z.string(), passkey: z.nullable(z.custom<GivenPasskey>()) };

export const noProof = { code: '', passkey: null };

type Proof = { code: string; passkey: GivenPasskey | null };

export const oneOfBoth = z.refine<Proof>(({ code, passkey }) => passkey !== null || code.trim() !== '', {
  message: 'Code is required',
  path: ['code'],
});

/** As the server expects it: one of the two. */
export function proofBody({ code, passkey }: Proof): { code: string } | { passkey: GivenPasskey } {
  return passkey ? { passkey } : { code: code.trim() };
}
