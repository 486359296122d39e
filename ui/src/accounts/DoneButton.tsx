// Ends the session that a mailed link began, as on a shared computer.
import { useQueryClient, type QueryKey } from '@tanstack/react-query';
import { failureWords, isSignedOut } from '../api.ts';
import { showFailure } from '../components/toasts.ts';
import { useAction } from '../components/useAction.ts';
import { AccountCard } from './AccountCard.tsx';

type DoneButtonProps = { end: () => Promise<unknown>; queryKey: QueryKey; onDone: () => void };

export function DoneButton({ end, queryKey, onDone }: DoneButtonProps) {
  const client = useQueryClient();
  const finish = () => {
    onDone();
    client.removeQueries({ queryKey });
  };
  const ending = useAction({
    mutationFn: end,
    onSuccess: finish,
    // The session may be over already.
    onError: (error) => (isSignedOut(error) ? finish() : showFailure('You are still signed in', failureWords(error, 'Please try again.'))),
  });
  return (
    <p className="cluster fine-print">
      <span>On a shared computer?</span><button type="button" className="button button-outline" aria-disabled={ending.isPending} onClick={() => ending.run()}>Done</button>
    </p>
  );
}

export function SignedOutCard({ title }: { title: string }) {
  return <AccountCard icon="mail" title={title} takesFocus><p>You are signed out. Open the link in our email again.</p></AccountCard>;
}
