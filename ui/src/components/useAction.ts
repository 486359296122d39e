// A mutation started by a press. Ignores further presses while it is pending; the mutation's `isPending` is too late
// for a double click.
import { useMutation, type UseMutationOptions } from '@tanstack/react-query';
import { useRef } from 'react';

export function useAction<Data, Input = void>(options: Omit<UseMutationOptions<Data, Error, Input>, 'onSettled'>) {
  const isUnderWay = useRef(false);
  const mutation = useMutation<Data, Error, Input>({
    ...options,
    onSettled: () => void (isUnderWay.current = false),
  });

  return {
    ...mutation,
    run: (input: Input) => {
      if (isUnderWay.current) return;
      isUnderWay.current = true;
      mutation.mutate(input);
    },
  };
}
