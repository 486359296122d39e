// The student's account of an accepted application: the family says whether its address is right.
import { failureWords } from '../api.ts';
import { EmailAddress } from '../components/EmailAddress.tsx';
import { ConfirmDialog } from '../components/ConfirmDialog.tsx';
import { Notice } from '../components/Notice.tsx';
import { useAction } from '../components/useAction.ts';
import { useState } from 'react';
import { answerAboutAccount } from './ownQueries.ts';
import type { OwnApplication } from './wire.ts';

type AccountProps = { token: string; account: NonNullable<OwnApplication['account']>; onChanged: (now: OwnApplication) => void };

export function ApplicationAccount({ token, account: { email, isConfirmed, isDisowned }, onChanged }: AccountProps) {
  const [isAsking, setIsAsking] = useState(false);
  const answering = useAction<OwnApplication, boolean>({
    mutationFn: (isOurs) => answerAboutAccount(token, isOurs),
    onSuccess: (now) => {
      setIsAsking(false);
      onChanged(now);
    },
  });
  const isOpen = !isConfirmed && !isDisowned;
  return (
    <section className="card" aria-labelledby="account-title">
      <h2 id="account-title">The Student’s Account</h2>
      <p><EmailAddress address={email} /></p>
      <p role="status">{wordsFor(isConfirmed, isDisowned)}</p>
      {isOpen && (
        <div className="cluster">
          <button type="button" className="button button-primary" aria-disabled={answering.isPending} onClick={() => answering.run(true)}>This Address Is Right</button>
          <button type="button" className="button button-outline" onClick={() => setIsAsking(true)}>That Is Not Us…</button>
        </div>
      )}
      {answering.isError && <Notice kind="error"><p>{failureWords(answering.error, 'That did not work. Please try again in a moment.')}</p></Notice>}
      {isAsking && (
        <ConfirmDialog title="That is not us?" confirmLabel="Lock the Account" pendingLabel="Locking..." isPending={answering.isPending} isDangerous onConfirm={() => answering.run(false)} onClose={() => !answering.isPending && setIsAsking(false)}>
          <p>The student account with this address is locked at once. The office gives it the right address and writes to you.</p>
        </ConfirmDialog>
      )}
    </section>
  );
}

function wordsFor(isConfirmed: boolean, isDisowned: boolean): string {
  if (isDisowned) return 'You said that this is not your address. The account is locked, and the office gives it another.';
  if (isConfirmed) return 'An invitation goes to this address. Your documents are in the account once it is open.';
  return 'An invitation goes to this address. Is it the student’s? Your documents stay out of the account until you say so.';
}
