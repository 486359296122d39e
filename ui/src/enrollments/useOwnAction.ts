// A student's action on an enrollment. Always refetches the list, since the office may have decided in the meantime.
import { type UseMutationOptions, useQueryClient } from '@tanstack/react-query';
import { failureWords, isSignedOut } from '../api.ts';
import type { Enrollment } from '../api-types.ts';
import { showFailure, showToast } from '../components/toasts.ts';
import { useAction } from '../components/useAction.ts';
import { ownEnrollmentsQuery } from './queries.ts';

type Words = { done: readonly [title: string, words: string]; failed: readonly [title: string, otherwise: string] };

type Action = Pick<UseMutationOptions<Enrollment, Error, number>, 'mutationKey' | 'mutationFn'>;

export function useOwnAction(action: Action, { done, failed }: Words, onDone: () => void = () => {}) {
  const client = useQueryClient();
  const refresh = () => client.invalidateQueries({ queryKey: ownEnrollmentsQuery.queryKey });
  return useAction<Enrollment, number>({
    ...action,
    onSuccess: async () => {
      await refresh();
      showToast(...done);
      onDone();
    },
    onError: async (error) => {
      if (isSignedOut(error)) return;
      await refresh();
      showFailure(failed[0], failureWords(error, failed[1]));
      onDone();
    },
  });
}
