// A login with a second step for the second factor, if the account has one.
import { useState } from 'react';
import { ApiError } from '../api.ts';
import type { GivenPasskey, PasskeyQuestion } from './passkey.ts';
import { proofBody } from './proof.ts';

/** The verified password of an account with a second factor. */
export function isCodeWanted(error: unknown): error is ApiError {
  return error instanceof ApiError && error.reason === 'second_factor';
}

type GivenProof = { code: string; passkey: GivenPasskey };
type TypedProof = { code: string; passkey: GivenPasskey | null };

/** `prepare` is awaited before the second step is shown; if it fails, the first step stays and shows the error. */
export function useTwoSteps(prepare?: () => Promise<void>) {
  const [wantsCode, setWantsCode] = useState(false);
  const [question, setQuestion] = useState<PasskeyQuestion | null>(null);
  return {
    wantsCode,
    /** The challenge for the account's passkeys; null without passkeys. */
    question,
    back: () => setWantsCode(false),
    /** Logs in, or continues to the second step with the first step's input kept. */
    async take<Account>(typed: Account & TypedProof, logIn: (credentials: Account & Partial<GivenProof>) => Promise<void>) {
      const { code, passkey, ...account } = typed;
      const proof = wantsCode ? proofBody({ code, passkey }) : {};
      try {
        await logIn({ ...(account as Account), ...proof });
      } catch (error) {
        if (!isCodeWanted(error)) throw error;
        if (!wantsCode) await prepare?.();
        // A challenge can be answered once.
        setQuestion(error.passkey as PasskeyQuestion | null);
        if (wantsCode) throw error;
        setWantsCode(true);
      }
    },
  };
}
