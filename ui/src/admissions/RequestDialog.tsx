// The details of an admission request.
import type { ReactNode } from 'react';
import type { AdmissionRequest } from '../api-types.ts';
import { Dialog } from '../components/Dialog.tsx';
import { EmailAddress } from '../components/EmailAddress.tsx';
import { PhoneNumber } from '../components/PhoneNumber.tsx';
import { momentText } from '../dates.ts';
import { mailLink } from '../school/links.ts';
import { useSchool } from '../school/queries.ts';
import { RequestStatus } from './RequestStatus.tsx';
import { nameOf } from './requests.ts';

export function RequestDialog({ request, onClose }: { request: AdmissionRequest; onClose: () => void }) {
  const { timeZone } = useSchool();
  return (
    <Dialog title={nameOf(request)} isWide onClose={onClose}>
      <dl className="grid">
        <Fact term="Status"><RequestStatus status={request.status} /></Fact>
        <Fact term="Received">{momentText(request.createdAt, timeZone)}</Fact>
        <Fact term="Grade">{request.grade}</Fact>
        <Fact term="Previous school"><span dir="auto">{request.previousSchool || 'Not provided'}</span></Fact>
        <Fact term="Email"><a href={mailLink(request.email)}><EmailAddress address={request.email} /></a></Fact>
        <Fact term="Phone"><PhoneNumber number={request.phone} /></Fact>
        <Fact term="Address" isWide><span className="written" dir="auto">{request.address}</span></Fact>
      </dl>
      <div className="cluster form-actions">
        <button type="button" className="button button-quiet" onClick={onClose}>Close</button>
      </div>
    </Dialog>
  );
}

function Fact({ term, isWide = false, children }: { term: string; isWide?: boolean; children: ReactNode }) {
  return <div className={isWide ? 'is-wide' : undefined}><dt>{term}</dt><dd>{children}</dd></div>;
}
