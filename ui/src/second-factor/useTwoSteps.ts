// A login that asks in a second step for the code of an account that has a second factor.
import { useState } from 'react';
import * as z from 'zod/mini';
import { ApiError } from '../api.ts';

/** The code, which the first step does not ask for. */
export const noCode = z.string();
export const neededCode = z.string().check(z.trim(), z.minLength(1, 'Code is required'));

/** The right password of an account that has a second factor. */
export function isCodeWanted(error: unknown): boolean {
  return error instanceof ApiError && error.reason === 'second_factor';
}

export function useTwoSteps() {
  const [wantsCode, setWantsCode] = useState(false);
  return {
    wantsCode,
    back: () => setWantsCode(false),
    /** Logs in with what was typed, or goes on to the second step; what was typed in the first stays. */
    async take<Typed extends { code: string }>({ code, ...account }: Typed, logIn: (credentials: Omit<Typed, 'code'> & { code?: string }) => Promise<void>) {
      try {
        await logIn(wantsCode ? { ...account, code } : account);
      } catch (error) {
        if (wantsCode || !isCodeWanted(error)) throw error;
        setWantsCode(true);
      }
    },
  };
}
