// "Please confirm it is you": before what a stranger at an open browser must not do. What waits for it goes on
// by itself.
import { useEffect, useState } from 'react';
import { wire } from '../api.ts';
import { askIdentity, settleIdentity, useIsAsked } from './askIdentity.ts';
import type { IdentityQuestion, IdentityQuestionProps } from './IdentityQuestion.tsx';
import { useHasEnded } from './sessionEnd.ts';

type Part = { IdentityQuestion: typeof IdentityQuestion };

export function StepUp(props: IdentityQuestionProps) {
  const isAsked = useIsAsked();
  const hasEnded = useHasEnded();
  const [part, setPart] = useState<Part | null>(null);
  useEffect(() => {
    const { request } = wire;
    wire.request = async <T,>(...asked: Parameters<typeof request>) => {
      try {
        return await request<T>(...asked);
      } catch (refusal) {
        if (await askIdentity(refusal)) return request<T>(...asked);
        throw refusal;
      }
    };
    return () => {
      wire.request = request;
      settleIdentity(false);
    };
  }, []);
  useEffect(() => {
    // Once the page stands, so that nothing has to arrive when it is asked. What does not arrive then is asked for
    // anew; without it the request that waits is refused, and what was typed stays.
    import('./IdentityQuestion.tsx').then(setPart, () => isAsked && settleIdentity(false));
  }, [isAsked]);
  useEffect(() => {
    // Whoever logs in again over the page has proved it by that.
    if (hasEnded) return () => settleIdentity(true);
  }, [hasEnded]);
  return isAsked && part && <part.IdentityQuestion {...props} />;
}
