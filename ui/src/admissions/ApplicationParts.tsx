// What an application's page shows: what is asked, the offer, progress, documents and details.
import { ApplicationAccount } from './ApplicationAccount.tsx';
import { ApplicationAsked } from './ApplicationAsked.tsx';
import { ApplicationDocuments } from './ApplicationDocuments.tsx';
import { ApplicationFacts } from './ApplicationFacts.tsx';
import { ApplicationOffer } from './ApplicationOffer.tsx';
import { ApplicationProgress } from './ApplicationProgress.tsx';
import { isOpen } from './ownState.ts';
import type { OwnApplication } from './wire.ts';
import './ApplicationPage.css';

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
        {status === 'info_requested' && asked && <ApplicationAsked {...parts} asked={asked} />}
        {(status === 'offered' || status === 'accepted') && <ApplicationOffer {...parts} />}
        {parts.application.account && <ApplicationAccount {...parts} account={parts.application.account} />}
        <ApplicationProgress application={parts.application} />
        <ApplicationDocuments {...parts} {...(fileAddress && { fileAddress })} />
      </div>
      <ApplicationFacts {...parts} mayWithdraw={isOpen(status)} />
    </>
  );
}
