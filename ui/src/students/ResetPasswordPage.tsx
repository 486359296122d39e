// A new password by an emailed link. The link's secret is never shown, and is removed from the address once it is used.
import { useState } from 'react';
import { Link, useLocation, useNavigate, useParams } from 'react-router';
import { AccountCard } from '../accounts/AccountCard.tsx';
import { NewPasswordForm } from '../accounts/NewPasswordForm.tsx';
import { paths } from '../paths.ts';
import { resetPassword } from './queries.ts';

export function ResetPasswordPage() {
  const { token = '' } = useParams();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const [expired, setExpired] = useState<string | null>(null);

  if (pathname === paths.passwordChanged) {
    return (
      <AccountCard icon="check" kind="success" title="Your Password Was Changed" takesFocus>
        <p>Every other device was logged out, and we have emailed you about it. You can now log in with your new password.</p>
        <Link className="button button-primary button-wide" to={paths.studentAuth} replace>Proceed to Login</Link>
      </AccountCard>
    );
  }
  if (expired !== null) {
    return (
      <AccountCard icon="alert" kind="error" title="This Link No Longer Works" takesFocus>
        <p>{expired}</p>
        <p>Links to a new password are valid for one hour and work once. Nothing was changed just now.</p>
        <div className="cluster account-actions">
          <Link className="button button-primary" to={paths.forgotPassword} replace>Ask for a New Link</Link>
          <Link className="button button-quiet" to={paths.studentAuth} replace>Back to Login</Link>
        </div>
      </AccountCard>
    );
  }
  return (
    <AccountCard icon="key" title="Choose a New Password">
      <p>Choose a password that you don’t use anywhere else. Every other device will be logged out.</p>
      <NewPasswordForm
        token={token}
        reset={resetPassword}
        onExpired={setExpired}
        onChanged={() => void navigate(paths.passwordChanged, { replace: true })}
      />
      <p className="auth-other"><Link to={paths.studentAuth}>Back to Login</Link></p>
    </AccountCard>
  );
}
