// The address could not be verified: says why, and offers what may help, so that an expired link
// is no dead end.
import { useState } from 'react';
import { Link } from 'react-router';
import { ApiError } from '../api.ts';
import { Notice } from '../components/Notice.tsx';
import { paths } from '../paths.ts';
import { AccountCard } from './AccountCard.tsx';
import { AccountLinkForm, type SentLink } from './AccountLinkForm.tsx';
import { resendVerification } from './queries.ts';

// Section 8.
const unverified = "We couldn't verify your email address. The link may have expired or is invalid.";
const unreached = 'An error occurred during verification';

type VerifyFailedProps =
  | { words: string; error?: never; query?: never }
  | { words?: never; error: Error; query: { isFetching: boolean; refetch: () => unknown } };

export function VerifyFailed({ words, error, query }: VerifyFailedProps) {
  const isReached = error instanceof ApiError && error.status !== 0;
  const detail = error instanceof ApiError ? error.detail : null;

  return (
    <AccountCard icon="alert" kind="error" title="Verification failed" takesFocus>
      {error ? <p>{isReached ? (detail ?? unverified) : unreached}</p> : <p>{words}</p>}
      {!error && <p>Please open the whole link of our message, or ask for a new one.</p>}
      {error && !isReached && <p>{detail}</p>}
      {error && !isJudged(error) && (
        <button
          type="button"
          className="button button-primary button-wide"
          aria-disabled={query.isFetching}
          onClick={() => !query.isFetching && void query.refetch()}
        >
          {query.isFetching ? 'Retrying...' : 'Try Again'}
        </button>
      )}
      {(!error || isReached) && <NewLink />}
      <p className="auth-other"><Link className="button button-quiet button-wide" to={paths.studentAuth}>Back to Login</Link></p>
    </AccountCard>
  );
}

/** The server looked at the link and refused it; anything else may go better a second time. */
function isJudged(error: Error): boolean {
  return error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429;
}

function NewLink() {
  const [sent, setSent] = useState<SentLink | null>(null);

  return (
    <div className="account-new-link">
      <h2>Send a New Link</h2>
      <div role="status">
        {sent && (
          <Notice kind="success">
            <p>{sent.message}</p>
            <p>You entered <strong>{sent.email}</strong>. Please look into the spam folder too.</p>
          </Notice>
        )}
      </div>
      {!sent && <AccountLinkForm asking={resendVerification} submitLabel="Send a New Link" onSent={setSent} />}
    </div>
  );
}
