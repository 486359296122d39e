// An admission request in the office: what the family wrote, what happened, and the next acts.
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { Link, useParams } from 'react-router';
import type { Prefetch } from '../accounts/guards.ts';
import { useUser } from '../accounts/signedIn.ts';
import { ApiError } from '../api.ts';
import { EmptyState } from '../components/EmptyState.tsx';
import { LoadFailed } from '../components/LoadFailed.tsx';
import { PageHead } from '../components/PageHead.tsx';
import { Spinner } from '../components/Spinner.tsx';
import { officePaths } from '../officePaths.ts';
import { requestQuery } from './decisions.ts';
import { LookTwice } from './LookTwice.tsx';
import { RequestDocuments } from './RequestDocuments.tsx';
import { RequestDuplicates } from './RequestDuplicates.tsx';
import { RequestEvents } from './RequestEvents.tsx';
import { RequestFacts } from './RequestFacts.tsx';
import { RequestHead } from './RequestHead.tsx';
import { RequestMailboxes } from './RequestMailboxes.tsx';
import { RequestNotes } from './RequestNotes.tsx';
import { RequestOffer } from './RequestOffer.tsx';
import './requests.css';

export const prefetch: Prefetch = (client, _, { id }) => [client.prefetchQuery(requestQuery(Number(id)))];

export function RequestPage() {
  const id = Number(useParams().id);
  // Another request has other dialogs and another Undo.
  return <RequestById key={id} id={id} />;
}

function RequestById({ id }: { id: number }) {
  const request = useQuery(requestQuery(id));
  const heading = useRef<HTMLHeadingElement>(null);
  const mayDecide = useUser().duties.includes('enrollments');
  if (request.data) {
    const parts = { request: request.data, mayDecide };
    return (
      <>
        <RequestHead {...parts} />
        <div className="split request-file">
          <div className="stack file-cards">
            <LookTwice {...parts} />
            <RequestDuplicates {...parts} />
            <RequestOffer {...parts} />
            <RequestFacts {...parts} />
            <RequestDocuments {...parts} />
          </div>
          <div className="stack file-cards">
            <RequestMailboxes {...parts} />
            <RequestNotes {...parts} />
            <RequestEvents events={request.data.events} />
          </div>
        </div>
      </>
    );
  }
  const isMissing = request.error instanceof ApiError && request.error.status === 404;
  return (
    <>
      <PageHead eyebrow="Admission request" title={isMissing ? 'Request Not Found' : 'Admission Request'} ref={heading} />
      {request.isPending && <Spinner label="Loading the request..." />}
      {isMissing && (
        <EmptyState icon="search" title="There is no request with this number">
          <Link className="button button-outline" to={officePaths.requests}>All requests</Link>
        </EmptyState>
      )}
      {request.isError && !isMissing && <LoadFailed words="Failed to load the request. Please try again later." query={request} heading={heading} />}
    </>
  );
}
