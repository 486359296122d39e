// "Please confirm it is you": before what a stranger at an open browser must not do. What waits for it goes on
// by itself.
import { lazy, Suspense, useEffect } from 'react';
import { wire } from '../api.ts';
import { useHasEnded } from '../sessionEnd.ts';
import type { IdentityQuestionProps } from './IdentityQuestion.tsx';
import { askIdentity, settleIdentity, useIsAsked } from './identity.ts';

const load = () => import('./IdentityQuestion.tsx').then((part) => ({ default: part.IdentityQuestion }));
const IdentityQuestion = lazy(load);

export function StepUp(props: IdentityQuestionProps) {
  const isAsked = useIsAsked();
  const hasEnded = useHasEnded();
  useEffect(() => {
    // Once the page stands, so that nothing has to arrive when it is asked.
    void load();
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
    // Whoever logs in again over the page has proved it by that.
    if (hasEnded) return () => settleIdentity(true);
  }, [hasEnded]);
  return isAsked && <Suspense><IdentityQuestion {...props} /></Suspense>;
}
