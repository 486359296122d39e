// The preview of the decline email, rendered by the server.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { failureWords } from '../api.ts';
import type { DeclineCode } from '../api-types.ts';
import { EmailSample } from '../components/EmailSample.tsx';
import { Notice } from '../components/Notice.tsx';
import { declineSchema } from './decline.ts';
import { declinePreviewQuery } from './queries.ts';

/** `id` is the enrollment, the first of several. */
type DeclinePreviewProps = { id: number; code: DeclineCode; reason: string };

export function DeclinePreview({ id, code, reason }: DeclinePreviewProps) {
  const [shown, setShown] = useState<string | null>(null);
  const checked = declineSchema.safeParse({ code, reason });
  // The preview is outdated after a change.
  const isOpen = shown === reason && checked.success;
  const preview = useQuery({ ...declinePreviewQuery(id, code, reason.trim()), enabled: isOpen });
  return (
    <div className="decline-preview">
      <button
        type="button"
        className="button button-quiet"
        aria-expanded={isOpen}
        aria-disabled={!checked.success}
        onClick={() => checked.success && setShown(isOpen ? null : reason)}
      >
        {isOpen ? 'Hide the email' : 'Preview the email'}
      </button>
      <div role="status">
        {isOpen && preview.isPending && <p>Loading the email...</p>}
        {isOpen && preview.data && <EmailSample email={preview.data} />}
        {isOpen && preview.isError && <Notice kind="error" isQuiet><p>{failureWords(preview.error, 'The email could not be shown. Please try again.')}</p></Notice>}
      </div>
    </div>
  );
}
