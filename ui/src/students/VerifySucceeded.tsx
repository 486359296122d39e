// Successful verification: the login opens after two seconds (sections 2 and 9).
import { useEffect } from 'react';
import { Link, useNavigate, useNavigation } from 'react-router';
import { AccountCard } from '../accounts/AccountCard.tsx';
import { notifyOtherTabs } from '../accounts/session.ts';
import { paths } from '../paths.ts';

const redirect_ms = 2000;

export function VerifySucceeded() {
  const navigate = useNavigate();
  const isLeaving = useNavigation().state !== 'idle';
  useEffect(() => {
    // Do not redirect if another page is already loading.
    if (isLeaving) return;
    const timer = setTimeout(() => void navigate(paths.studentVerified, { replace: true }), redirect_ms);
    return () => clearTimeout(timer);
  }, [isLeaving, navigate]);
  // Show a confirmed email change in all open tabs.
  useEffect(() => notifyOtherTabs('student'), []);

  return (
    <AccountCard icon="check" kind="success" title="Email Verified" takesFocus>
      <p>Your email has been successfully verified!</p>
      <p className="muted">The login opens in a moment.</p>
      <Link className="button button-primary button-wide" to={paths.studentVerified} replace>Proceed to Login</Link>
    </AccountCard>
  );
}
