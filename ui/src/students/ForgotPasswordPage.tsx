// Forgotten password of a student. The response is the same for any email.
import { useState } from 'react';
import { Link, useLocation, useNavigate, useSearchParams } from 'react-router';
import { AccountCard } from '../accounts/AccountCard.tsx';
import { paths } from '../paths.ts';
import { PlainForm } from '../template.tsx';
import { AccountLinkForm, type SentLink } from './AccountLinkForm.tsx';
import { forgotPassword } from './queries.ts';

/** History state: the email typed in the login form, and the requested link. */
type ForgotState = { email?: string; sent?: SentLink };

export function ForgotPasswordPage() {
  const navigate = useNavigate();
  const { email = '', sent } = (useLocation().state as ForgotState | null) ?? {};
  const [isAgain, setIsAgain] = useState(false);
  // The form was sent without scripts.
  const wasSent = useSearchParams()[0].has('sent');

  const keep = (state: ForgotState) => void navigate(paths.forgotPassword, { replace: true, state });

  if (sent || wasSent) {
    return (
      <AccountCard icon="mail" title="Check Your Inbox" takesFocus={!wasSent}>
        <p>{sent?.message ?? 'If an account with this address exists, a link to choose a new password is on its way.'}</p>
        <p>{sent && <span>You entered <strong>{sent.email}</strong>. </span>}<span>The link is valid for one hour and works once.</span></p>
        <h2>Nothing there?</h2>
        <p>Give it a few minutes and check your spam folder. It is also worth trying another address: the account may have been opened with that one.</p>
        <div className="cluster account-actions">
          <button
            type="button"
            className="button button-outline"
            onClick={() => {
              setIsAgain(true);
              keep({ email: sent?.email ?? '' });
            }}
          >
            Try Another Address
          </button>
          <Link className="button button-quiet" to={paths.studentAuth}>Back to Login</Link>
        </div>
      </AccountCard>
    );
  }
  return (
    <AccountCard icon="key" title="Forgot Your Password">
      <p>Tell us the email address of your student account. We will send you a link to choose a new password.</p>
      <PlainForm>
        <AccountLinkForm isPlain asking={forgotPassword} email={email} takesFocus={isAgain} submitLabel="Send the Link" onSent={(link) => keep({ sent: link })} />
      </PlainForm>
      <p className="auth-other"><Link to={paths.studentAuth}>Back to Login</Link></p>
    </AccountCard>
  );
}
