// "Confirm it's you" before sensitive requests, which are then sent.
import { useEffect, useState } from 'react';
import { wire } from '../api.ts';
import { askIdentity, settleIdentity, useIsIdentityAsked } from './askIdentity.ts';
import type { IdentityQuestion, IdentityQuestionProps } from './IdentityQuestion.tsx';
import { useHasSessionEnded } from './sessionEnd.ts';

type Part = { IdentityQuestion: typeof IdentityQuestion };

export function StepUp(props: IdentityQuestionProps) {
  const isAsked = useIsIdentityAsked();
  const hasEnded = useHasSessionEnded();
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
    // Preloaded once the page is rendered. A failed load is retried when it is needed; without it the request fails
    // and the form keeps its input.
    import('./IdentityQuestion.tsx').then(setPart, () => isAsked && settleIdentity(false));
  }, [isAsked]);
  useEffect(() => {
    // A new login over the page proves it as well.
    if (hasEnded) return () => settleIdentity(true);
  }, [hasEnded]);
  return isAsked && part && <part.IdentityQuestion {...props} />;
}
