// One identity question at a time, however many requests wait for its answer.
import { useSyncExternalStore } from 'react';
import { ApiError } from '../api.ts';

type Question = { answer: Promise<boolean>; settle: (isProven: boolean) => void };

let question: Question | null = null;
const listeners = new Set<() => void>();

function set(next: Question | null) {
  question = next;
  for (const listener of listeners) listener();
}

/** Resolves to true once the identity is proved, false if the user cancels. */
export function askIdentity(refusal: unknown): Promise<boolean> {
  if (!(refusal instanceof ApiError && refusal.reason === 'step_up')) return Promise.resolve(false);
  if (!question) {
    let settle!: Question['settle'];
    const answer = new Promise<boolean>((resolve) => {
      settle = resolve;
    });
    set({ answer, settle });
  }
  return question?.answer ?? Promise.resolve(false);
}

export function settleIdentity(isProven: boolean) {
  const asked = question;
  set(null);
  asked?.settle(isProven);
}

export function useIsIdentityAsked(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    () => question !== null,
    () => false,
  );
}
