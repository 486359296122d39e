// "This was not me": the owner of a mailbox removes an account registered without consent.
import { Link } from 'react-router';
import { LinkAction } from '../accounts/LinkAction.tsx';
import { paths } from '../paths.ts';
import { disownAccount } from './queries.ts';

export function NotMePage() {
  return (
    <LinkAction
      action={disownAccount}
      title="This Was Not Me"
      label="Remove the Account"
      pendingLabel="Removing..."
      doneTitle="Thank You for Telling Us"
      login={paths.studentAuth}
      next={<Link className="button button-quiet button-wide" to={paths.home}>Go to the Home Page</Link>}
    >
      <p>Was your email address registered with us by someone else? Remove the account, so that it can no longer be used to log in.</p>
      <p>Documents and enrollment requests are not deleted by this. If the account has any, it is locked and the office looks into it.</p>
      <p>If you did register, leave this page and nothing happens.</p>
    </LinkAction>
  );
}
