// Confirms a new email address from its own mailbox.
import { Link } from 'react-router';
import { LinkAction } from '../accounts/LinkAction.tsx';
import { officePaths } from '../officePaths.ts';
import { paths } from '../paths.ts';
import { confirmEmail } from './queries.ts';

export function ConfirmEmailPage() {
  return (
    <LinkAction
      action={confirmEmail}
      title="Confirm Your Address"
      label="Confirm My New Address"
      pendingLabel="Confirming..."
      doneTitle="Your Address Was Changed"
      login={paths.adminLogin}
      next={<Link className="button button-primary button-wide" to={officePaths.account}>Go to Your Account</Link>}
    >
      <p>This becomes the email address of your account in the office. Messages about the account, and links to a new password, come here from then on.</p>
      <p>If you did not ask for this, leave this page and nothing happens.</p>
    </LinkAction>
  );
}
