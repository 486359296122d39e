// Shown after registration: check the inbox, and what to do if nothing arrives.
import { Icon } from '../components/Icon.tsx';
import { AccountResend } from './AccountResend.tsx';
import { AuthHeading } from './AuthHeading.tsx';

type RegisterInboxProps = { email: string; takesFocus: boolean; onCorrect: () => void; onLogin: () => void };

export function RegisterInbox({ email, takesFocus, onCorrect, onLogin }: RegisterInboxProps) {
  return (
    <div className="account-inbox">
      <span className="medallion"><Icon name="mail" /></span>
      <AuthHeading takesFocus={takesFocus}>Check Your Inbox</AuthHeading>
      <p>
        We have written to <strong>{email}</strong>. Open the link in our message to verify your account, then log in.
        The link is valid for 48 hours.
      </p>
      <button type="button" className="button button-primary button-wide" onClick={onLogin}>Go to Login</button>
      <h3>Nothing there?</h3>
      <p>Give it a few minutes and check your spam folder. Is the address above not quite right? Correct it and register again.</p>
      <AccountResend email={email}>
        <button type="button" className="button button-quiet" onClick={onCorrect}>Correct the Address</button>
      </AccountResend>
    </div>
  );
}
