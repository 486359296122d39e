// What stands beside the list while no message is shown there: an invitation, or why there is none.
import '../components/EmptyState.css';
import { useRef } from 'react';
import { ApiError } from '../api.ts';
import { LoadFailed } from '../components/LoadFailed.tsx';
import { Spinner } from '../components/Spinner.tsx';

type NothingOpenProps = {
  /** The message that the address names, on its way; null when it names none. */
  wanted: { error: Error | null; isFetching: boolean; refetch: () => Promise<{ isSuccess: boolean }> } | null;
};

export function NothingOpen({ wanted }: NothingOpenProps) {
  const nowhere = useRef<HTMLElement>(null);
  if (!wanted) return <div className="empty message-none centred"><p>Choose a message to read it here.</p></div>;
  const isGone = wanted.error instanceof ApiError && wanted.error.status === 404;
  return (
    <div className="empty message-none centred is-wanted">
      {!wanted.error && <Spinner label="Loading message..." />}
      {isGone && <p role="status">This message no longer exists.</p>}
      {wanted.error && !isGone && (
        <LoadFailed words="Failed to load the message. Please try again later." query={wanted} heading={nowhere} />
      )}
    </div>
  );
}
