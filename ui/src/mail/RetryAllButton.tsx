// The button that resends all failed emails, after the mail server was repaired.
import { retryAll } from './queries.ts';
import { useRetry } from './useRetry.ts';

export function RetryAllButton({ headingId }: { headingId: string }) {
  const { button, isPending, run } = useRetry(retryAll, headingId, ({ count }) => [
    count === 1 ? 'Sending 1 email again' : `Sending ${count} emails again`,
    'The list will soon show which ones the mail server accepted.',
  ]);

  return (
    <button
      type="button"
      ref={button}
      className="button button-primary"
      aria-disabled={isPending}
      onClick={() => run()}
    >
      {isPending ? 'Retrying...' : 'Retry All'}
    </button>
  );
}
