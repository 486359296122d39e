// What an application's page shows: what is asked, the offer, progress, documents and details.
import { lazy, Suspense } from 'react';
import { loadPart } from '../components/loadPart.ts';
import { ApplicationAsked } from './ApplicationAsked.tsx';
import { ApplicationDocuments } from './ApplicationDocuments.tsx';
import { ApplicationFacts } from './ApplicationFacts.tsx';
import { ApplicationOffer } from './ApplicationOffer.tsx';
import { ApplicationProgress } from './ApplicationProgress.tsx';
import { isOpen } from './ownState.ts';
import type { OwnApplication } from './wire.ts';
import './ApplicationPage.css';

/** Few families come back after they have accepted. */
const ApplicationAccount = lazy(async () => ({ default: (await loadPart(() => import('./ApplicationAccount.tsx'))).ApplicationAccount }));

type ApplicationPartsProps = {
  token: string;
  application: OwnApplication;
  onChanged: (now: OwnApplication) => void;
  onReload: () => void;
  /** Where the reader opens a document. */
  fileAddress?: (id: number) => string;
};

export function ApplicationParts({ fileAddress, ...parts }: ApplicationPartsProps) {
  const { status, asked } = parts.application;
  return (
    <>
      <div className="stack">
        {asked && <ApplicationAsked {...parts} asked={asked} />}
        {(status === 'offered' || status === 'accepted') && <ApplicationOffer {...parts} />}
        {parts.application.account && <Suspense fallback={null}><ApplicationAccount {...parts} account={parts.application.account} /></Suspense>}
        <ApplicationProgress application={parts.application} />
        <ApplicationDocuments {...parts} {...(fileAddress && { fileAddress })} />
      </div>
      <ApplicationFacts {...parts} mayWithdraw={isOpen(status)} />
    </>
  );
}
