// The notice of an unverified account after a correct password, with a new link to the email that was just tried.
import { AccountResend } from './AccountResend.tsx';

export function NotVerified({ email }: { email: string }) {
  return (
    <>
      <p>Please verify your email address first. The link is in the message we sent to <strong>{email}</strong>.</p>
      <AccountResend email={email} />
    </>
  );
}
