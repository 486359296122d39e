// The button that settles a failed email without resending it: its reader was told in another way.
import type { MailRecord } from '../api-types.ts';
import { settleEmail } from './queries.ts';
import { useRetry } from './useRetry.ts';

export function SettleButton({ email, headingId }: { email: MailRecord; headingId: string }) {
  const { button, isPending, isSuccess, run } = useRetry(settleEmail, headingId, () => ['Email settled', 'It is no longer waiting, and stays in the list of all emails.']);

  if (isSuccess) return <span className="badge">Settled</span>;
  return (
    <button type="button" ref={button} className="button button-quiet" aria-disabled={isPending} aria-describedby={`email-${email.id}`} onClick={() => run(email.id)}>
      {isPending ? 'Settling...' : 'Settle'}
    </button>
  );
}
