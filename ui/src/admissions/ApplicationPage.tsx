// A family's application, opened by the link in its email: where it stands, what is asked, and the offer.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useLayoutEffect, useRef, useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import { AccountCard } from '../accounts/AccountCard.tsx';
import { DoneButton, SignedOutCard } from '../accounts/DoneButton.tsx';
import { ApiError } from '../api.ts';
import { LoadFailed } from '../components/LoadFailed.tsx';
import { PageHeader } from '../components/PageHeader.tsx';
import { Spinner } from '../components/Spinner.tsx';
import { useSchool } from '../school/queries.ts';
import { paths } from '../paths.ts';
import { ApplicationParts } from './ApplicationParts.tsx';
import { LostLinkForm } from './LostLinkForm.tsx';
import { applicationQuery, endSession } from './ownQueries.ts';
import { ownWords } from './ownState.ts';
import type { OwnApplication } from './wire.ts';

export function ApplicationPage() {
  const { token = '' } = useParams();
  // Another link is another application.
  return <ByLink key={token} token={token} />;
}

function ByLink({ token }: { token: string }) {
  const [isOver, setIsOver] = useState(false);
  const application = useQuery({ ...applicationQuery(token), enabled: !isOver });
  const navigate = useNavigate();
  const heading = useRef<HTMLHeadingElement>(null);
  const end = () => {
    // The address of the page is the link.
    window.history.replaceState(null, '', paths.applicationLink);
    setIsOver(true);
  };
  if (isOver) return <SignedOutCard title="Your Application" />;
  if (application.data) return <Application token={token} application={application.data} onDone={end} />;
  if (application.isPending) {
    return <AccountCard icon="mail" title="Your Application"><Spinner label="Opening your application..." /></AccountCard>;
  }
  if (application.error instanceof ApiError && application.error.status === 404) {
    return (
      <AccountCard icon="alert" kind="error" title="This Link No Longer Works" takesFocus>
        <p>It may have expired, or be incomplete. We will send you a new one.</p>
        <LostLinkForm onSent={() => void navigate(paths.applicationLinkSent)} />
      </AccountCard>
    );
  }
  return (
    <AccountCard icon="alert" kind="error" title="Your Application">
      <LoadFailed words="Your application could not be opened. Please try again later." query={application} heading={heading} />
    </AccountCard>
  );
}

function Application({ token, application, onDone }: { token: string; application: OwnApplication; onDone: () => void }) {
  const client = useQueryClient();
  const { timeZone } = useSchool();
  const { reference, firstName, lastName, status } = application;
  const onChanged = (now: OwnApplication) => client.setQueryData(applicationQuery(token).queryKey, now);
  const onReload = () => client.invalidateQueries(applicationQuery(token));
  const parts = { token, application, onChanged, onReload };
  // An act replaces its form: the focus moves to what holds now, which is at the top of the page.
  const words = useRef<HTMLSpanElement>(null);
  const shown = useRef(status);
  useLayoutEffect(() => {
    if (shown.current !== status) words.current?.focus();
    shown.current = status;
  }, [status]);

  return (
    <>
      <PageHeader eyebrow={<span>{`Application ${reference}`}</span>} title={`${firstName} ${lastName}`}>
        <span role="status" tabIndex={-1} ref={words}>{ownWords(application, timeZone)}</span>
      </PageHeader>
      <div className="wrap band split own-application">
        <ApplicationParts {...parts} />
      </div>
      <div className="wrap band"><DoneButton end={endSession} queryKey={applicationQuery(token).queryKey} onDone={onDone} /></div>
    </>
  );
}
