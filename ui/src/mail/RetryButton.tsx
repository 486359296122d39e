// The button that resends a failed or waiting email.
import type { MailRecord } from '../api-types.ts';
import { retryEmail } from './queries.ts';
import { useRetry } from './useRetry.ts';

export function RetryButton({ email, headingId }: { email: MailRecord; headingId: string }) {
  const { button, isPending, isSuccess, run } = useRetry(retryEmail, headingId, () => ['Sending again', 'The list will soon show whether the mail server accepted it.']);

  if (isSuccess) return <span className="badge tone-yellow">Sending...</span>;
  return (
    <button
      type="button"
      ref={button}
      className="button button-outline"
      aria-disabled={isPending}
      aria-describedby={`email-${email.id}`}
      onClick={() => run(email.id)}
    >
      {isPending ? 'Retrying...' : 'Retry'}
    </button>
  );
}
