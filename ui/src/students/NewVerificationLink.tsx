// Sends a new verification link, where the old one no longer works.
import { useRef, useState } from 'react';
import { Notice } from '../components/Notice.tsx';
import { AccountLinkForm, type SentLink } from './AccountLinkForm.tsx';
import { resendVerification } from './queries.ts';

export function NewVerificationLink() {
  const [sent, setSent] = useState<SentLink | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);

  function showSent(link: SentLink) {
    setSent(link);
    // The form is gone, and the focus with it.
    heading.current?.focus();
  }

  return (
    <div className="ruled account-new-link">
      <h2 ref={heading} tabIndex={-1}>Send a New Link</h2>
      <div role="status">
        {sent && (
          <Notice kind="success">
            <p>{sent.message}</p>
            <p>You entered <strong>{sent.email}</strong>. Please check your spam folder too.</p>
          </Notice>
        )}
      </div>
      {!sent && <AccountLinkForm asking={resendVerification} submitLabel="Send a New Link" onSent={showSent} />}
    </div>
  );
}
