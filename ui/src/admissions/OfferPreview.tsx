// The preview of an offer's email, for what is typed in the dialog.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { failureWords } from '../api.ts';
import { EmailSample } from '../components/EmailSample.tsx';
import { Notice } from '../components/Notice.tsx';
import { offerPreviewQuery } from './decisions.ts';

/** `body`: the call's, or null while something typed is wrong. */
export function OfferPreview({ id, body }: { id: number; body: object | null }) {
  const [shown, setShown] = useState<string | null>(null);
  const typed = JSON.stringify(body);
  // The preview is outdated after a change.
  const isOpen = body !== null && shown === typed;
  const preview = useQuery({ ...offerPreviewQuery(id, body ?? {}), enabled: isOpen });
  return (
    <div>
      <button type="button" className="button button-quiet" aria-expanded={isOpen} aria-disabled={body === null} onClick={() => body && setShown(isOpen ? null : typed)}>
        {isOpen ? 'Hide the email' : 'Preview the email'}
      </button>
      {body === null && <span className="fine-print"> Enter the fee first.</span>}
      <div role="status">
        {isOpen && preview.isPending && <p>Loading the email...</p>}
        {isOpen && preview.data && <EmailSample email={preview.data} />}
        {isOpen && preview.isError && <Notice kind="error" isQuiet><p>{failureWords(preview.error, 'The email could not be shown. Please try again.')}</p></Notice>}
      </div>
    </div>
  );
}
