// Marks messages as read or unread.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { failureWords, isSignedOut } from '../api.ts';
import type { ContactMessage } from '../api-types.ts';
import { showFailure, showToast } from '../components/toasts.ts';
import { useAction } from '../components/useAction.ts';
import { markMessage } from './queries.ts';

type OnMarked = (message: ContactMessage) => void;

/** For the button, with a toast. */
export function useMark(as: 'read' | 'unread', onMarked: OnMarked) {
  const client = useQueryClient();
  return useAction({
    ...markMessage,
    onSuccess: (marked) => {
      onMarked(marked);
      showToast(`Message marked as ${as}`);
    },
    onError: (error) => {
      if (isSignedOut(error)) return;
      showFailure(`Failed to mark the message as ${as}`, failureWords(error, 'Please try again.'));
      // A colleague may have handled it in the meantime.
      for (const queryKey of [['messages'], ['dashboard']]) void client.invalidateQueries({ queryKey });
    },
  });
}

/** For opening a message, without a toast; a failure leaves it new. */
export function useRead(onMarked: OnMarked) {
  const { mutate } = useMutation({ ...markMessage, onSuccess: onMarked });
  return ({ id, status }: Pick<ContactMessage, 'id' | 'status'>) => status === 'new' && mutate({ id, as: 'read' });
}
