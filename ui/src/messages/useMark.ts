// Marks a message as read or as unread, each the undo of the other.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { failureWords, isSignedOut } from '../api.ts';
import type { ContactMessage } from '../api-types.ts';
import { showFailure, showToast } from '../components/toasts.ts';
import { useAction } from '../components/useAction.ts';
import { markMessage } from './queries.ts';

type OnMarked = (message: ContactMessage) => void;

function useRefresh() {
  const client = useQueryClient();
  return () => {
    for (const queryKey of [['messages'], ['dashboard']]) void client.invalidateQueries({ queryKey });
  };
}

/** By its button, which says what became of it. */
export function useMark(as: 'read' | 'unread', onMarked: OnMarked) {
  const refresh = useRefresh();
  return useAction({
    ...markMessage,
    onSuccess: (marked) => {
      onMarked(marked);
      showToast(`Message marked as ${as}`);
      refresh();
    },
    onError: (error) => {
      if (isSignedOut(error)) return;
      showFailure(`Failed to mark the message as ${as}`, failureWords(error, 'Please try again.'));
      // A colleague may have dealt with it meanwhile.
      refresh();
    },
  });
}

/** By opening it: a message that is open has been read. One that could not be marked stays new, with its button. */
export function useRead(onMarked: OnMarked) {
  const refresh = useRefresh();
  const { mutate } = useMutation({
    ...markMessage,
    onSuccess: (marked) => {
      onMarked(marked);
      refresh();
    },
  });
  return ({ id, status }: Pick<ContactMessage, 'id' | 'status'>) => status === 'new' && mutate({ id, as: 'read' });
}
