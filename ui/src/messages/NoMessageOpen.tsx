// The placeholder beside the list while no message is open.
import '../components/EmptyState.css';
import { useRef } from 'react';
import { ApiError } from '../api.ts';
import { LoadFailed } from '../components/LoadFailed.tsx';
import { Spinner } from '../components/Spinner.tsx';

type NothingOpenProps = {
  /** The query of the message in the address; null without one. */
  wanted: { error: Error | null; isFetching: boolean; refetch: () => Promise<{ isSuccess: boolean }> } | null;
};

export function NoMessageOpen({ wanted }: NothingOpenProps) {
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
