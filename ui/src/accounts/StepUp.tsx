// "Confirm it's you" before sensitive requests, which are then sent.
import { useEffect } from 'react';
import { wire } from '../api.ts';
import { askIdentity, settleIdentity, useIsIdentityAsked } from './askIdentity.ts';
import { usePartLater } from '../components/usePartLater.ts';
import type { IdentityQuestionProps } from './IdentityQuestion.tsx';
import { useHasSessionEnded } from './sessionEnd.ts';

export function StepUp(props: IdentityQuestionProps) {
  const isAsked = useIsIdentityAsked();
  const hasEnded = useHasSessionEnded();
  // Without it the request fails and the form keeps its input.
  const part = usePartLater(() => import('./IdentityQuestion.tsx'), isAsked, () => settleIdentity(false));
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
    // A new login over the page proves it as well.
    if (hasEnded) return () => settleIdentity(true);
  }, [hasEnded]);
  return isAsked && part && <part.IdentityQuestion {...props} />;
}
