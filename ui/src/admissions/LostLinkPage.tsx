// A family asks for the link to its application again. The answer is the same for every address.
import { useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { AccountCard } from '../accounts/AccountCard.tsx';
import { paths } from '../paths.ts';
import { PlainForm } from '../template.tsx';
import { LostLinkForm } from './LostLinkForm.tsx';

export function LostLinkPage() {
  const navigate = useNavigate();
  const wasSent = useSearchParams()[0].has('sent');
  const [isAgain, setIsAgain] = useState(false);

  if (wasSent) {
    return (
      <AccountCard icon="mail" title="Check Your Inbox" takesFocus={isAgain}>
        <p>If there is an application from this address, its link is on its way.</p>
        <p>The link works for 30 days, as often as you like. Nothing there in a few minutes? Check the spam folder, or try the other address you may have used.</p>
        <div className="cluster account-actions">
          <Link className="button button-outline" to={paths.applicationLink}>Try Another Address</Link>
          <Link className="button button-quiet" to={paths.contact('admission')}>Contact the Office</Link>
        </div>
      </AccountCard>
    );
  }
  return (
    <AccountCard icon="mail" title="Find Your Application">
      <p>Enter the email address of the application. We will send you a new link to it.</p>
      <PlainForm>
        <LostLinkForm
          onSent={() => {
            setIsAgain(true);
            void navigate(paths.applicationLinkSent, { replace: true });
          }}
        />
      </PlainForm>
      <p className="auth-other">Not applied yet? <Link to={paths.apply}>Apply</Link></p>
    </AccountCard>
  );
}
