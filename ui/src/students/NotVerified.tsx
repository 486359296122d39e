// The password was right, but the account waits for its verification: says so, and sends a new link
// to the address that was just tried, whatever is typed meanwhile.
import { AccountResend } from './AccountResend.tsx';

export function NotVerified({ email }: { email: string }) {
  return (
    <>
      <p>Please verify your email address first. The link is in the message we sent to <strong>{email}</strong>.</p>
      <AccountResend email={email} />
    </>
  );
}
