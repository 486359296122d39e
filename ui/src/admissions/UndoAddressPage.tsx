// Puts the old address of an application back, from its mailbox.
import { Link } from 'react-router';
import { LinkAction } from '../accounts/LinkAction.tsx';
import { paths } from '../paths.ts';
import { undoAddressChange } from './ownQueries.ts';

export function UndoAddressPage() {
  const back = <Link className="button button-quiet button-wide" to={paths.applicationLink}>Find Your Application</Link>;
  return (
    <LinkAction
      action={undoAddressChange}
      title="Put the Email Address Back"
      label="Put This Address Back"
      pendingLabel="Putting It Back..."
      doneTitle="The Address Is Back"
      login={paths.applicationLink}
      next={back}
    >
      <p>The email address of an application was changed. If that was not you, give the application the address back that this link was sent to.</p>
      <p>Every other link and every open page of the application ends, and from then on only the office changes its address.</p>
      <p>If you changed the address yourself, leave this page and nothing happens.</p>
    </LinkAction>
  );
}
