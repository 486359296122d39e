// Successful verification: the login opens after two seconds (sections 2 and 9).
import { useEffect } from 'react';
import { Link, useNavigate, useNavigation } from 'react-router';
import { AccountCard } from '../accounts/AccountCard.tsx';
import { notifyOtherTabs } from '../accounts/session.ts';
import { useVerifiedLogin } from './nextPage.ts';

const redirect_ms = 2000;

export function VerifySucceeded() {
  const navigate = useNavigate();
  const login = useVerifiedLogin();
  const isLeaving = useNavigation().state !== 'idle';
  useEffect(() => {
    // Do not redirect if another page is already loading.
    if (isLeaving) return;
    const timer = setTimeout(() => void navigate(login, { replace: true }), redirect_ms);
    return () => clearTimeout(timer);
  }, [isLeaving, login, navigate]);
  // Show a confirmed email change in all open tabs.
  useEffect(() => notifyOtherTabs('student'), []);

  return (
    <AccountCard icon="check" kind="success" title="Email Verified" takesFocus>
      <p>Your email has been successfully verified!</p>
      <p className="muted">The login opens in a moment.</p>
      <Link className="button button-primary button-wide" to={login} replace>Proceed to Login</Link>
    </AccountCard>
  );
}
