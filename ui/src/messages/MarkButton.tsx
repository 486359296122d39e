// The button that marks a message as read or unread. Opening a message does not mark it, since the inbox is shared.
import { useQueryClient } from '@tanstack/react-query';
import { failureWords, isSignedOut } from '../api.ts';
import type { ContactMessage } from '../api-types.ts';
import { showFailure, showToast } from '../components/toasts.ts';
import { useAction } from '../components/useAction.ts';
import { markMessage } from './queries.ts';

type MarkButtonProps = { message: ContactMessage; onMarked: (message: ContactMessage) => void };

export function MarkButton({ message, onMarked }: MarkButtonProps) {
  const client = useQueryClient();
  const as = message.status === 'new' ? 'read' : 'unread';
  const refresh = () => {
    for (const queryKey of [['messages'], ['dashboard']]) void client.invalidateQueries({ queryKey });
  };
  const marking = useAction({
    ...markMessage,
    onSuccess: (marked) => {
      onMarked(marked);
      showToast(`Message marked as ${marked.status === 'new' ? 'unread' : 'read'}`);
      refresh();
    },
    onError: (error) => {
      if (isSignedOut(error)) return;
      showFailure(`Failed to mark the message as ${as}`, failureWords(error, 'Please try again.'));
      // A colleague may have handled it in the meantime.
      refresh();
    },
  });

  return (
    <button
      type="button"
      className="button button-outline"
      aria-disabled={marking.isPending}
      onClick={() => marking.run({ id: message.id, as })}
    >
      {marking.isPending ? 'Saving...' : as === 'read' ? 'Mark as Read' : 'Mark as Unread'}
    </button>
  );
}
