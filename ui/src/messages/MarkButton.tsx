// The button that marks a message as read or as unread.
import type { ContactMessage } from '../api-types.ts';
import { useMark } from './useMark.ts';

type MarkButtonProps = { message: ContactMessage; onMarked: (message: ContactMessage) => void };

export function MarkButton({ message, onMarked }: MarkButtonProps) {
  const as = message.status === 'new' ? 'read' : 'unread';
  const marking = useMark(as, onMarked);
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
