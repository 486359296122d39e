// The address is verified. After two seconds the login opens by itself (sections 2 and 9).
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
    // Whoever has chosen another page is not called back while it loads.
    if (isLeaving) return;
    const timer = setTimeout(() => void navigate(paths.studentVerified, { replace: true }), redirect_ms);
    return () => clearTimeout(timer);
  }, [isLeaving, navigate]);
  // A confirmed change of address shows at once wherever this student has the portal open.
  useEffect(() => notifyOtherTabs('student'), []);

  return (
    <AccountCard icon="check" kind="success" title="Email Verified" takesFocus>
      <p>Your email has been successfully verified!</p>
      <p className="muted">The login opens in a moment.</p>
      <Link className="button button-primary button-wide" to={paths.studentVerified} replace>Proceed to Login</Link>
    </AccountCard>
  );
}
