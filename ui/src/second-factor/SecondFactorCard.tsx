// The own second factor: set up with an authenticator app, new recovery codes, and turned off again.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { failureWords, isSignedOut } from '../api.ts';
import { Dialog } from '../components/Dialog.tsx';
import { LoadFailed } from '../components/LoadFailed.tsx';
import { Spinner } from '../components/Spinner.tsx';
import { showFailure, showToast } from '../components/toasts.ts';
import { useAction } from '../components/useAction.ts';
import { momentText } from '../dates.ts';
import { useSchool } from '../school/queries.ts';
import { portals } from '../session.ts';
import { FactorProofForm } from './FactorProofForm.tsx';
import { RecoveryCodes } from './RecoveryCodes.tsx';
import { type FactorOwner, type FactorSetup, factors } from './secondFactor.ts';

type SecondFactorCardProps = {
  owner: FactorOwner;
  /** What shows the signed-in devices, of which a change leaves one. */
  devicesKey: readonly unknown[];
};

export function SecondFactorCard({ owner, devicesKey }: SecondFactorCardProps) {
  const { portal, username } = owner;
  const calls = factors[portal];
  const client = useQueryClient();
  const factor = useQuery(calls.query);
  const heading = useRef<HTMLHeadingElement>(null);
  const [codes, setCodes] = useState<string[] | null>(null);
  const [open, setOpen] = useState<'codes' | 'off' | null>(null);
  const beginning = useAction({
    ...calls.begin,
    onError: (error) => {
      if (!isSignedOut(error)) showFailure('That did not work', failureWords(error, 'Please try again in a moment.'));
    },
  });
  const refresh = async () => {
    const keys = [calls.query.queryKey, portals[portal].who.queryKey, devicesKey];
    await Promise.all(keys.map((queryKey) => client.invalidateQueries({ queryKey })));
  };
  const showCodes = async (drawn: { recoveryCodes: string[] }) => {
    setOpen(null);
    setCodes(drawn.recoveryCodes);
    beginning.reset();
    await refresh();
  };

  return (
    <section className="card" aria-labelledby="second-factor">
      <h2 id="second-factor" ref={heading} tabIndex={-1}>Second Factor</h2>
      {factor.isPending && <Spinner label="Loading your second factor..." />}
      {factor.isError && <LoadFailed words="Failed to load your second factor. Please try again later." query={factor} heading={heading} />}
      {codes && (
        <RecoveryCodes
          username={username}
          codes={codes}
          onKept={() => {
            setCodes(null);
            heading.current?.focus();
          }}
        />
      )}
      {!codes && beginning.data && (
        <Setup
          owner={owner}
          setup={beginning.data}
          onDone={async (drawn) => {
            showToast('Your second factor is set up', 'Every other device was logged out.');
            await showCodes(drawn);
          }}
          onCancel={beginning.reset}
        />
      )}
      {!codes && !beginning.data && factor.data && (
        factor.data.since ? (
          <State since={factor.data.since} left={factor.data.recoveryCodesLeft} onOpen={setOpen} />
        ) : (
          <>
            <p>Whoever learns your password still does not get in: a login then asks for a code from an authenticator app on your phone, too. Any such app will do, like Google Authenticator, Microsoft Authenticator, Aegis or 1Password.</p>
            <button type="button" className="button button-primary" aria-disabled={beginning.isPending} onClick={() => beginning.run()}>
              {beginning.isPending ? 'One moment...' : 'Set Up'}
            </button>
          </>
        )
      )}
      {open === 'codes' && (
        <Dialog title="New Recovery Codes" onClose={() => setOpen(null)}>
          <p>You get ten new codes. Those from before stop working.</p>
          <FactorProofForm username={username} change={calls.drawRecoveryCodes} submitLabel="Show New Codes" pendingLabel="Drawing..." onDone={showCodes} onCancel={() => setOpen(null)} />
        </Dialog>
      )}
      {open === 'off' && (
        <Dialog title="Turn Off the Second Factor" onClose={() => setOpen(null)}>
          <p>From then on your password alone opens this account. Every other device is logged out, and your recovery codes stop working.</p>
          <FactorProofForm
            username={username}
            change={calls.turnOff}
            submitLabel="Turn Off"
            pendingLabel="Turning Off..."
            onDone={async () => {
              setOpen(null);
              showToast('Your second factor is turned off', 'A message about it is on its way to you.');
              await refresh();
              heading.current?.focus();
            }}
            onCancel={() => setOpen(null)}
          />
        </Dialog>
      )}
    </section>
  );
}

type SetupProps = { owner: FactorOwner; setup: FactorSetup; onDone: (drawn: { recoveryCodes: string[] }) => Promise<void>; onCancel: () => void };

function Setup({ owner: { portal, username }, setup: { qrCode, secret, uri }, onDone, onCancel }: SetupProps) {
  return (
    <div className="factor-setup">
      <div>
        <h3>1. Add the account to your app</h3>
        <p>Scan this picture with the app. On the phone itself, <a href={uri}>open it in the app</a>.</p>
        <img src={qrCode} width={208} height={208} alt="QR code for the authenticator app; the key below says the same" />
        <p className="fine-print">Or type the key: <code>{secret}</code></p>
      </div>
      <div>
        <h3>2. Show that it works</h3>
        <FactorProofForm username={username} change={factors[portal].confirm} isFirst submitLabel="Turn On" pendingLabel="Turning On..." onDone={onDone} />
        <button type="button" className="button button-quiet button-wide" onClick={onCancel}>Cancel</button>
      </div>
    </div>
  );
}

type StateProps = { since: string; left: number; onOpen: (dialog: 'codes' | 'off') => void };

function State({ since, left, onOpen }: StateProps) {
  const { timeZone } = useSchool();
  return (
    <>
      <p><span className="badge badge-green">on</span> A login asks for a code from your app, since {momentText(since, timeZone)}.</p>
      <p>{left === 0 ? 'No recovery code is left: please draw new ones.' : `${left === 1 ? 'One recovery code is' : `${left} recovery codes are`} left for a lost phone.`}</p>
      <div className="cluster">
        <button type="button" className="button button-outline" onClick={() => onOpen('codes')}>New Recovery Codes...</button>
        <button type="button" className="button button-quiet" onClick={() => onOpen('off')}>Turn Off...</button>
      </div>
    </>
  );
}
