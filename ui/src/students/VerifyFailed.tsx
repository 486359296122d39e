// Failed verification: says why, and offers a new link.
import { Link } from 'react-router';
import { AccountCard } from '../accounts/AccountCard.tsx';
import { ApiError } from '../api.ts';
import { paths } from '../paths.ts';
import { NewVerificationLink } from './NewVerificationLink.tsx';

type VerifyFailedProps = {
  /** Absent if the address has no token. */
  error?: Error;
  query?: { isFetching: boolean; refetch: () => unknown };
};

export function VerifyFailed({ error, query }: VerifyFailedProps) {
  const { words, hint, mayRetry, mayBeDead } = error ? explain(error) : noToken;

  return (
    <AccountCard icon="alert" kind="error" title="Verification failed" takesFocus>
      <p>{words}</p>
      {hint && <p>{hint}</p>}
      {query && mayRetry && (
        <button
          type="button"
          className="button button-primary button-wide"
          aria-disabled={query.isFetching}
          onClick={() => !query.isFetching && void query.refetch()}
        >
          {query.isFetching ? 'Retrying...' : 'Try Again'}
        </button>
      )}
      {mayBeDead && <NewVerificationLink />}
      <p className="auth-other"><Link className="button button-quiet button-wide" to={paths.studentAuth}>Back to Login</Link></p>
    </AccountCard>
  );
}

// The words are section 8's.
const noToken = {
  words: 'Invalid verification link',
  hint: 'Please open the whole link of our message, or ask for a new one.',
  mayRetry: false,
  mayBeDead: true,
};

function explain(error: Error) {
  const { status, detail } = error instanceof ApiError ? error : { status: 0, detail: null };
  if (status === 0) {
    return { words: 'An error occurred during verification', hint: detail, mayRetry: true, mayBeDead: false };
  }
  const isRefused = status >= 400 && status < 500 && status !== 429;
  return {
    words: detail ?? "We couldn't verify your email address. The link may have expired or is invalid.",
    hint: null,
    mayRetry: !isRefused,
    mayBeDead: true,
  };
}
