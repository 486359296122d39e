// The signed-in devices, each with a button that signs it out.
import { type UseMutationOptions, type UseQueryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { ApiError, failureWords, isSignedOut } from '../api.ts';
import type { SignedIn } from '../api-types.ts';
import { ConfirmDialog } from '../components/ConfirmDialog.tsx';
import { Icon } from '../components/Icon.tsx';
import { LoadFailed } from '../components/LoadFailed.tsx';
import { Spinner } from '../components/Spinner.tsx';
import { showFailure, showToast } from '../components/toasts.ts';
import { useAction } from '../components/useAction.ts';
import { momentText } from '../dates.ts';
import { useSchool } from '../school/queries.ts';
import './OwnAccount.css';

type DevicesProps = {
  query: UseQueryOptions<SignedIn[], Error, SignedIn[], string[]>;
  endOne: UseMutationOptions<void, Error, string>;
  endOthers: UseMutationOptions<void>;
};

export function Devices({ query, endOne, endOthers }: DevicesProps) {
  const client = useQueryClient();
  const devices = useQuery(query);
  const heading = useRef<HTMLHeadingElement>(null);
  const [isAsking, setIsAsking] = useState(false);
  const others = devices.data?.filter(({ isCurrent }) => !isCurrent) ?? [];

  async function refresh() {
    await client.invalidateQueries({ queryKey: query.queryKey });
    heading.current?.focus();
  }
  const endingOthers = useAction<void>({
    ...endOthers,
    onSuccess: () => {
      setIsAsking(false);
      showToast('Signed out everywhere else');
      void refresh();
    },
    onError: (error) => {
      if (!isSignedOut(error)) showFailure('Error', failureWords(error, 'The other devices could not be signed out. Please try again.'));
    },
  });

  return (
    <section className="card" aria-labelledby="devices">
      <div className="row card-head">
        <h2 id="devices" ref={heading} tabIndex={-1}>Signed-In Devices</h2>
        {others.length > 0 && (
          <button type="button" className="button button-outline" onClick={() => setIsAsking(true)}>Sign out everywhere else</button>
        )}
      </div>
      {devices.isPending && <Spinner label="Loading your devices..." />}
      {devices.isError && <LoadFailed words="Failed to load your devices. Please try again later." query={devices} heading={heading} />}
      {devices.data && (
        <>
          <ul className="rows devices">
            {devices.data.map((device) => (
              <Row key={device.id} device={device} endOne={endOne} onEnded={refresh} />
            ))}
          </ul>
          <p className="fine-print">
            {others.length === 0
              ? 'You are not signed in on any other device.'
              : 'If you don’t know one of these devices, sign it out and change your password.'}
          </p>
        </>
      )}
      {isAsking && (
        <ConfirmDialog
          title="Sign Out Everywhere Else"
          confirmLabel="Sign Out"
          pendingLabel="Signing Out..."
          isPending={endingOthers.isPending}
          isDangerous
          onConfirm={() => endingOthers.run()}
          onClose={() => !endingOthers.isPending && setIsAsking(false)}
        >
          <p>
            {`${others.length === 1 ? 'The other device is' : `The other ${others.length} devices are`} signed out at once. Unsaved work there may be lost. You stay signed in here.`}
          </p>
        </ConfirmDialog>
      )}
    </section>
  );
}

type RowProps = { device: SignedIn; endOne: DevicesProps['endOne']; onEnded: () => Promise<void> };

function Row({ device: { id, device, signedInAt, lastSeenAt, isCurrent }, endOne, onEnded }: RowProps) {
  const { timeZone } = useSchool();
  const ending = useAction<void, string>({
    ...endOne,
    onSuccess: () => {
      showToast('Device signed out');
      void onEnded();
    },
    onError: (error) => {
      if (isSignedOut(error)) return;
      showFailure('Error', failureWords(error, 'The device could not be signed out. Please try again.'));
      // Signed out in the meantime: the list is stale.
      if (error instanceof ApiError && error.status === 404) void onEnded();
    },
  });

  return (
    <li className="row">
      <span className="medallion screen-only"><Icon name="live" /></span>
      <div>
        <p><strong id={`device-${id}`}>{device}</strong>{isCurrent && <> <span className="badge tone-green">This device</span></>}</p>
        <p><small>{`Signed in ${momentText(signedInAt, timeZone)}`}</small></p>
        {!isCurrent && <p><small>{`Last seen ${momentText(lastSeenAt, timeZone)}`}</small></p>}
      </div>
      {!isCurrent && (
        <button
          type="button"
          className="button button-outline"
          aria-disabled={ending.isPending}
          aria-describedby={`device-${id}`}
          onClick={() => ending.run(id)}
        >
          {ending.isPending ? 'Signing out...' : 'Sign out'}
        </button>
      )}
    </li>
  );
}
