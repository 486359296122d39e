// A new office password by a link. The link's secret is never shown, and is removed from the address once it is used.
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

  if (pathname === paths.adminPasswordChanged) {
    return (
      <AccountCard icon="check" kind="success" title="Your Password Was Changed" takesFocus>
        <p>Every other device was logged out, and we have emailed you about it. You can now log in to the office with your new password.</p>
        <Link className="button button-primary button-wide" to={paths.adminLogin} replace>Proceed to Login</Link>
      </AccountCard>
    );
  }
  if (expired !== null) {
    return (
      <AccountCard icon="alert" kind="error" title="This Link No Longer Works" takesFocus>
        <p>{expired}</p>
        <p>Links to a new password are valid for one hour and work once. Nothing was changed just now.</p>
        <Link className="button button-primary button-wide" to={paths.adminForgotPassword} replace>Ask for a New Link</Link>
        <p className="auth-other"><Link to={paths.adminLogin} replace>Back to Login</Link></p>
      </AccountCard>
    );
  }
  return (
    <AccountCard icon="key" title="Choose a New Password">
      <p>For your account in the office. Choose a password that you don’t use anywhere else. Every other device will be logged out.</p>
      <NewPasswordForm
        token={token}
        reset={resetPassword}
        onExpired={setExpired}
        onChanged={() => void navigate(paths.adminPasswordChanged, { replace: true })}
      />
      <p className="auth-other"><Link to={paths.adminLogin}>Back to Login</Link></p>
    </AccountCard>
  );
}
