// Undoes an email change, from the old mailbox.
import { Link } from 'react-router';
import { LinkAction } from '../accounts/LinkAction.tsx';
import { paths } from '../paths.ts';
import { undoEmailChange } from './queries.ts';

export function UndoEmailPage() {
  return (
    <LinkAction
      action={undoEmailChange}
      title="Undo the Change of Email"
      label="Undo the Change"
      pendingLabel="Undoing..."
      doneTitle="Your Old Address Is Back"
      login={paths.studentAuth}
      next={<Link className="button button-quiet button-wide" to={paths.studentAuth}>Back to Login</Link>}
    >
      <p>The email address of your student account was changed. If that was not you, take the account back to the address that this link was sent to.</p>
      <p>Every device is logged out and the password stops working. We send you a link to choose a new one.</p>
      <p>If you changed the address yourself, leave this page and nothing happens.</p>
    </LinkAction>
  );
}
