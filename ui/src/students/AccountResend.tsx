// The button that sends a new verification link to a known address.
import { failureWords } from '../api.ts';
import type { Elements } from '../components/elements.ts';
import { useAction } from '../components/useAction.ts';
import { useNextPage } from './nextPage.ts';
import { resendVerification } from './queries.ts';

/** Message if no link could be sent. */
export const linkFailed = 'The link could not be sent. Please try again in a moment.';

/** `children` are shown beside the button. */
export function AccountResend({ email, children }: { email: string; children?: Elements }) {
  const { run, isPending, data, error } = useAction(resendVerification);
  const next = useNextPage();

  return (
    <>
      <div className="cluster account-actions">
        <button type="button" className="button button-outline" aria-disabled={isPending} onClick={() => run({ email, ...next })}>
          {isPending ? 'Sending...' : 'Send a New Link'}
        </button>
        {children}
      </div>
      <p className={error ? 'account-status field-error' : 'account-status'} role="status">
        {`${data?.message ?? ''}${error ? failureWords(error, linkFailed) : ''}`}
      </p>
    </>
  );
}
