// A retry whose button disappears with its row: moves the focus and refetches the list.
import { type UseMutationOptions, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { failureWords, isSignedOut } from '../api.ts';
import { showFailure, showToast } from '../components/toasts.ts';
import { useAction } from '../components/useAction.ts';

/** By then most mail servers have accepted or refused the email. */
const settles_ms = 1500;
const settles_slowly_ms = [4000, 10_000];

type Retry<Data, Input> = Pick<UseMutationOptions<Data, Error, Input>, 'mutationKey' | 'mutationFn'>;

/** `headingId` takes the focus. `toast`: title and description. */
export function useRetry<Data, Input>(retry: Retry<Data, Input>, headingId: string, toast: (data: Data) => [string, string]) {
  const client = useQueryClient();
  const button = useRef<HTMLButtonElement>(null);
  const refresh = () => Promise.all([['mail'], ['dashboard']].map((queryKey) => client.invalidateQueries({ queryKey })));
  const retrying = useAction<Data, Input>({
    ...retry,
    onSuccess: (data) => {
      showToast(...toast(data));
      // Move the focus unless it has moved elsewhere in the meantime.
      const preventScroll = !button.current?.matches(':focus-visible');
      if (document.activeElement === button.current) document.getElementById(headingId)?.focus({ preventScroll });
      // Refetch in any case, to offer what still waits.
      setTimeout(() => void refresh().then(retrying.reset), settles_ms);
      for (const later_ms of settles_slowly_ms) setTimeout(() => void refresh(), later_ms);
    },
    onError: async (error) => {
      if (isSignedOut(error)) return;
      showFailure('Failed to send again', failureWords(error, 'Please try again.'));
      // A colleague may have sent it in the meantime.
      await refresh();
    },
  });
  return { ...retrying, button };
}
