// A login that asks in a second step for the second factor of an account that has one.
import { useState } from 'react';
import { ApiError } from '../api.ts';
import type { GivenPasskey, PasskeyQuestion } from './passkey.ts';
import { proofBody } from './proof.ts';

/** The right password of an account that has a second factor. */
export function isCodeWanted(error: unknown): error is ApiError {
  return error instanceof ApiError && error.reason === 'second_factor';
}

type GivenProof = { code: string; passkey: GivenPasskey };
type Typed = { code: string; passkey: GivenPasskey | null };

/** `prepare` is awaited before the second step is shown; where it fails, the first one stays and so does its error. */
export function useTwoSteps(prepare?: () => Promise<void>) {
  const [wantsCode, setWantsCode] = useState(false);
  const [question, setQuestion] = useState<PasskeyQuestion | null>(null);
  return {
    wantsCode,
    /** What to ask the account's passkeys; null where it has none. */
    question,
    back: () => setWantsCode(false),
    /** Logs in with what was typed, or goes on to the second step; what was typed in the first stays. */
    async take<Account>(typed: Account & Typed, logIn: (credentials: Account & Partial<GivenProof>) => Promise<void>) {
      const { code, passkey, ...account } = typed;
      const proof = wantsCode ? proofBody({ code, passkey }) : {};
      try {
        await logIn({ ...(account as Account), ...proof });
      } catch (error) {
        if (!isCodeWanted(error)) throw error;
        if (!wantsCode) await prepare?.();
        // Each question is answered once.
        setQuestion(error.passkey as PasskeyQuestion | null);
        if (wantsCode) throw error;
        setWantsCode(true);
      }
    },
  };
}
