// Another try by the press of a button that leaves with its row: where the focus goes, and when the
// list is asked again.
import { type UseMutationOptions, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { failureWords, isSignedOut } from '../api.ts';
import { showFailure, showToast } from '../components/toasts.ts';
import { useAction } from '../components/useAction.ts';

/** By then the mail server has mostly taken an email or refused it again; a slow one takes longer. */
const settles_ms = 1500;
const settles_slowly_ms = [4000, 10_000];

type Retry<Data, Input> = Pick<UseMutationOptions<Data, Error, Input>, 'mutationKey' | 'mutationFn'>;

/** `headingId`: where the focus goes. `toast`: the toast's title and description. */
export function useRetry<Data, Input>(retry: Retry<Data, Input>, headingId: string, toast: (data: Data) => [string, string]) {
  const client = useQueryClient();
  const button = useRef<HTMLButtonElement>(null);
  const refresh = () => Promise.all([['mail'], ['dashboard']].map((queryKey) => client.invalidateQueries({ queryKey })));
  const retrying = useAction<Data, Input>({
    ...retry,
    onSuccess: (data) => {
      showToast(...toast(data));
      // Whoever went on meanwhile is not called back; whoever sees the focus is led to it.
      const preventScroll = !button.current?.matches(':focus-visible');
      if (document.activeElement === button.current) document.getElementById(headingId)?.focus({ preventScroll });
      // Whatever came of it, what then still waits is offered anew.
      setTimeout(() => void refresh().then(retrying.reset), settles_ms);
      for (const later_ms of settles_slowly_ms) setTimeout(() => void refresh(), later_ms);
    },
    onError: async (error) => {
      if (isSignedOut(error)) return;
      showFailure('Failed to send again', failureWords(error, 'Please try again.'));
      // Somebody else may have sent it meanwhile.
      await refresh();
    },
  });
  return { ...retrying, button };
}
