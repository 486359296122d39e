// Sends a letter again that was given up, or that waits for its next try.
import type { MailRecord } from '../api-types.ts';
import { retryLetter } from './queries.ts';
import { useRetry } from './useRetry.ts';

export function RetryButton({ letter, headingId }: { letter: MailRecord; headingId: string }) {
  const { button, isPending, isSuccess, run } = useRetry(retryLetter, headingId, () => ['Letter is sent again', 'The list shows in a moment whether the mail server took it.']);

  if (isSuccess) return <span className="badge badge-yellow">Sending...</span>;
  return (
    <button
      type="button"
      ref={button}
      className="button button-outline"
      aria-disabled={isPending}
      aria-describedby={`letter-${letter.id}`}
      onClick={() => run(letter.id)}
    >
      {isPending ? 'Retrying...' : 'Retry'}
    </button>
  );
}
