// Sends a new verification link to an address that is known already.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { failureWords } from '../api.ts';
import { resendVerification } from './queries.ts';

/** What a person reads when no link could be sent. */
export const linkFailed = 'The link could not be sent. Please try again in a moment.';

/** `children` stand beside the button. */
export function AccountResend({ email, children }: { email: string; children?: ReactNode }) {
  const { mutate, isPending, data, error } = useMutation(resendVerification);
  const client = useQueryClient();

  function send() {
    // Asked of the cache: a double click is faster than the next drawing.
    if (client.isMutating({ mutationKey: resendVerification.mutationKey ?? [] }) === 0) mutate({ email });
  }

  return (
    <>
      <div className="actions">
        <button type="button" className="button button-outline" aria-disabled={isPending} onClick={send}>
          {isPending ? 'Sending...' : 'Send a New Link'}
        </button>
        {children}
      </div>
      <p className={error ? 'account-status field-error' : 'account-status'} role="status">
        {data?.message}
        {error && failureWords(error, linkFailed)}
      </p>
    </>
  );
}
