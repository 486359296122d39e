// The student's own data: download, privacy requests and consents.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { Link } from 'react-router';
import { failureWords, getJson, isSignedOut } from '../api.ts';
import type { Consent, PrivacyRequest } from '../api-types.ts';
import { Icon } from '../components/Icon.tsx';
import { LoadFailed } from '../components/LoadFailed.tsx';
import { Spinner } from '../components/Spinner.tsx';
import { showFailure, showToast } from '../components/toasts.ts';
import { useAction } from '../components/useAction.ts';
import { useDialogPart } from '../components/useDialogPart.ts';
import { dateText, momentText } from '../dates.ts';
import { paths } from '../paths.ts';
import { useSchool } from '../school/queries.ts';
import { consentKinds, saidText, versionText } from './consentKinds.ts';
import { askAboutPrivacy, ownPrivacyQuery, withdrawRequest } from './ownQueries.ts';
import { requestKinds, requestTones } from './words.ts';

const archive = '/api/students/archive';

export function OwnData() {
  const client = useQueryClient();
  const own = useQuery(ownPrivacyQuery);
  const heading = useRef<HTMLHeadingElement>(null);
  const dialog = useDialogPart(() => import('./AskDialog.tsx'));
  const asking = useMutation({
    ...askAboutPrivacy,
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ownPrivacyQuery.queryKey });
      showToast('Request sent', 'The school answers within 30 days. Until then you can withdraw it.');
    },
  });
  // A download cannot show a message: check the session first.
  const downloading = useAction({
    mutationFn: () => getJson('/api/students/me'),
    onSuccess: () => window.location.assign(archive),
    onError: (error) => !isSignedOut(error) && showFailure('Your data was not downloaded', failureWords(error, 'Please try again in a moment.')),
  });
  return (
    <section className="card own-data" aria-labelledby="own-data">
      <h2 id="own-data" ref={heading} tabIndex={-1}>Your Data</h2>
      <p>
        Download everything the school holds about you: profile, courses and marks, charges, documents, emails, and who in the office viewed it. How it is used is explained in the <Link to={paths.privacy}>Privacy Policy</Link>.
      </p>
      <div className="cluster">
        <a
          className="button button-primary"
          href={archive}
          onClick={(event) => {
            event.preventDefault();
            downloading.run();
          }}
        >
          <Icon name="file" /> Download Your Data
        </a>
        <button type="button" className="button button-outline" aria-disabled={dialog.isPending} onClick={dialog.open}>Ask the School...</button>
      </div>
      {own.isPending && <Spinner label="Loading your requests..." />}
      {own.isError && <LoadFailed words="Failed to load your requests. Please try again later." query={own} heading={heading} />}
      {own.data && own.data.requests.length > 0 && (
        <>
          <h3>Your Requests</h3>
          <ul className="rows">{own.data.requests.map((request) => <Request key={request.id} request={request} />)}</ul>
        </>
      )}
      {own.data && own.data.consents.length > 0 && (
        <details>
          <summary>What you agreed to</summary>
          <ul className="rows">{own.data.consents.map((consent) => <Agreed key={consent.id} consent={consent} />)}</ul>
        </details>
      )}
      {dialog.part && <dialog.part.AskDialog open={own.data?.requests ?? []} send={asking.mutateAsync} onClose={dialog.close} />}
    </section>
  );
}

function Request({ request: { id, kind, status, receivedOn, dueOn, details, decision } }: { request: PrivacyRequest }) {
  const client = useQueryClient();
  const withdrawing = useAction<PrivacyRequest, number>({
    ...withdrawRequest,
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ownPrivacyQuery.queryKey });
      showToast('Request withdrawn');
    },
    onError: (error) => {
      if (isSignedOut(error)) return;
      showFailure('Error', failureWords(error, 'Your request could not be withdrawn. Please try again.'));
      void client.invalidateQueries({ queryKey: ownPrivacyQuery.queryKey });
    },
  });
  const isOpen = status === 'open';
  return (
    <li className="row">
      <div>
        <p><strong>{requestKinds[kind]}</strong> <span className={`badge tone-${requestTones[status]}`}>{isOpen ? `answer by ${dateText(dueOn, '—')}` : status}</span></p>
        <p className="muted"><span>{`Requested ${dateText(receivedOn, '—')}`}</span>{details && <><span> · </span><span dir="auto">{details}</span></>}</p>
        {decision && <p>The school’s answer: <q dir="auto">{decision}</q></p>}
      </div>
      {isOpen && (
        <button type="button" className="button button-outline" aria-label={`Withdraw: ${requestKinds[kind]}`} aria-disabled={withdrawing.isPending} onClick={() => withdrawing.run(id)}>
          {withdrawing.isPending ? 'Withdrawing...' : 'Withdraw'}
        </button>
      )}
    </li>
  );
}

function Agreed({ consent }: { consent: Consent }) {
  const { kind, textVersion, at } = consent;
  const { timeZone } = useSchool();
  return (
    <li>
      <strong>{consentKinds[kind]}</strong><span>{`, ${versionText(textVersion)}`}</span>
      <p className="muted">{`${saidText(consent)}, ${momentText(at, timeZone)}`}</p>
    </li>
  );
}
