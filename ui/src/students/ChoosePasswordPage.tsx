// For accounts created by the office or registered more than once: the owner of the mailbox chooses the password,
// which verifies the account.
import { useState } from 'react';
import { Link, useNavigate, useParams } from 'react-router';
import { AccountCard } from '../accounts/AccountCard.tsx';
import { NewPasswordForm } from '../accounts/NewPasswordForm.tsx';
import { paths } from '../paths.ts';
import { useVerifiedLogin } from './nextPage.ts';
import { NewVerificationLink } from './NewVerificationLink.tsx';
import { resetPassword } from './queries.ts';

export function ChoosePasswordPage() {
  const { token = '' } = useParams();
  const navigate = useNavigate();
  const login = useVerifiedLogin();
  const [expired, setExpired] = useState<string | null>(null);

  if (expired !== null) {
    return (
      <AccountCard icon="alert" kind="error" title="This Link No Longer Works" takesFocus>
        <p>{expired}</p>
        <p>These links are valid for a few days and work once. A newer message replaces the links of older ones.</p>
        <NewVerificationLink />
        <p className="auth-other"><Link className="button button-quiet button-wide" to={paths.studentAuth} replace>Back to Login</Link></p>
      </AccountCard>
    );
  }
  return (
    <AccountCard icon="key" title="Choose Your Password">
      <p>
        Your student account has no password yet; one typed at registration does not open it. Choose a password now; this also verifies your email address.
      </p>
      <NewPasswordForm
        token={token}
        reset={resetPassword}
        label="Password"
        submitLabel="Save My Password"
        onExpired={setExpired}
        onChanged={() => void navigate(login, { replace: true })}
      />
      <p className="auth-other"><Link to={paths.studentAuth}>Back to Login</Link></p>
    </AccountCard>
  );
}
