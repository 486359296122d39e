// The second factor of one's own account: authenticator app, passkeys, recovery codes.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { failureWords, isSignedOut } from '../api.ts';
import { Dialog } from '../components/Dialog.tsx';
import type { Elements } from '../components/elements.ts';
import { LoadFailed } from '../components/LoadFailed.tsx';
import { Spinner } from '../components/Spinner.tsx';
import { showFailure, showToast } from '../components/toasts.ts';
import { useAction } from '../components/useAction.ts';
import { momentText } from '../dates.ts';
import { useSchool } from '../school/queries.ts';
import { FactorProofForm } from './FactorProofForm.tsx';
import { Passkeys } from './Passkeys.tsx';
import { RecoveryCodes } from './RecoveryCodes.tsx';
import { type FactorOwner, type FactorSetup, factors, type SecondFactor } from './secondFactor.ts';
import { portals } from './session.ts';

type SecondFactorCardProps = {
  owner: FactorOwner;
  /** Query of the signed-in devices: a change leaves only this one. */
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
  const showCodes = async ({ recoveryCodes }: { recoveryCodes: string[] }) => {
    setOpen(null);
    // A further passkey comes without codes.
    if (recoveryCodes.length > 0) setCodes(recoveryCodes);
    beginning.reset();
    await refresh();
  };

  const hasPasskeys = (factor.data?.passkeys.length ?? 0) > 0;
  const isOn = hasPasskeys || Boolean(factor.data?.since);
  const passkey = hasPasskeys ? { ask: calls.askPasskey, hasApp: Boolean(factor.data?.since) } : null;

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
        <Parts factor={factor.data} owner={owner} onOpen={setOpen} onAdded={showCodes} onChanged={refresh}>
          <button type="button" className={isOn ? 'button button-outline' : 'button button-primary'} aria-disabled={beginning.isPending} onClick={() => beginning.run()}>
            {beginning.isPending ? 'One moment...' : 'Set Up'}
          </button>
        </Parts>
      )}
      {open === 'codes' && (
        <Dialog title="New Recovery Codes" onClose={() => setOpen(null)}>
          <p>You get ten new codes. The old ones stop working.</p>
          <FactorProofForm username={username} passkey={passkey} change={calls.drawRecoveryCodes} submitLabel="Show New Codes" pendingLabel="Drawing..." onDone={showCodes} onCancel={() => setOpen(null)} />
        </Dialog>
      )}
      {open === 'off' && (
        <Dialog title={hasPasskeys ? 'Turn Off the Authenticator App' : 'Turn Off the Second Factor'} onClose={() => setOpen(null)}>
          <p>{hasPasskeys ? 'Login then asks for a passkey or a recovery code.' : 'You then log in with your password alone. Every other device is logged out, and your recovery codes stop working.'}</p>
          <FactorProofForm
            username={username}
            passkey={passkey}
            change={calls.turnOff}
            submitLabel="Turn Off"
            pendingLabel="Turning Off..."
            onDone={async () => {
              setOpen(null);
              showToast(`Your ${hasPasskeys ? 'authenticator app' : 'second factor'} is turned off`, 'We have emailed you about it.');
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
    <div className="grid factor-setup">
      <div>
        <h3>1. Add the account to your app</h3>
        <p>Scan this picture with the app. On the phone itself, <a href={uri}>open it in the app</a>.</p>
        <img src={qrCode} width={208} height={208} alt="QR code for the authenticator app; the key below says the same" />
        <p className="fine-print">Or type the key: <code>{secret}</code></p>
      </div>
      <div>
        <h3>2. Check that it works</h3>
        <FactorProofForm username={username} change={factors[portal].confirm} isFirst submitLabel="Turn On" pendingLabel="Turning On..." onDone={onDone} />
        <button type="button" className="button button-quiet button-wide" onClick={onCancel}>Cancel</button>
      </div>
    </div>
  );
}

type PartsProps = {
  factor: SecondFactor;
  owner: FactorOwner;
  onOpen: (dialog: 'codes' | 'off') => void;
  onAdded: (drawn: { recoveryCodes: string[] }) => Promise<void>;
  onChanged: () => Promise<void>;
  /** The button that sets up an app. */
  children: Elements;
};

function Parts({ factor, owner, onOpen, onAdded, onChanged, children }: PartsProps) {
  const { timeZone } = useSchool();
  const { since, passkeys, recoveryCodesLeft: left } = factor;
  const isOn = since !== null || passkeys.length > 0;
  return (
    <div className="factor-parts">
      {isOn ? (
        <p><span className="badge tone-green">on</span> You need it to log in, as well as your password.</p>
      ) : (
        <p>Protects your account even if your password is stolen: login also asks for a code from your phone, or for a passkey.</p>
      )}
      <div>
        <h3>Authenticator App</h3>
        <p>{since ? `Active since ${momentText(since, timeZone)}.` : 'It shows six digits that change every 30 seconds. Any authenticator app works, such as Google Authenticator, Microsoft Authenticator, Aegis or 1Password.'}</p>
        {since ? <button type="button" className="button button-quiet" onClick={() => onOpen('off')}>Turn Off...</button> : children}
      </div>
      <Passkeys factor={factor} owner={owner} onAdded={onAdded} onChanged={onChanged} />
      {isOn && (
        <div>
          <h3>Recovery Codes</h3>
          <p>{left === 0 ? 'No recovery codes are left. Please get new ones.' : `${left === 1 ? 'One recovery code is' : `${left} recovery codes are`} left.`}</p>
          <button type="button" className="button button-outline" onClick={() => onOpen('codes')}>New Recovery Codes...</button>
        </div>
      )}
    </div>
  );
}
