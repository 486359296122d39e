// A student's credits from other schools, as recorded by the office.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useUser } from '../accounts/signedIn.ts';
import { failureWords } from '../api.ts';
import type { ExternalCredit, StudentFile } from '../api-types.ts';
import { DocumentLink } from '../components/GuardedLinks.tsx';
import { loadPart } from '../components/loadPart.ts';
import { showFailure } from '../components/toasts.ts';
import { useAction } from '../components/useAction.ts';
import { dateText, momentText } from '../dates.ts';
import { documentAddress } from '../documents/types.ts';
import { creditsLine } from '../enrollments/credits.ts';
import { useSchool } from '../school/queries.ts';
import type * as Dialogs from './ExternalCreditDialogs.tsx';
import { externalCreditsQuery } from './queries.ts';

/** The open dialog and its credit, if any. */
type OpenDialog = { part: typeof Dialogs; credit: ExternalCredit | null; isVoiding: boolean };

export function ExternalCredits({ file }: { file: StudentFile }) {
  const studentId = file.student.id;
  const { data: credits = [] } = useQuery(externalCreditsQuery(studentId));
  const { timeZone } = useSchool();
  const { duties } = useUser();
  const mayRecord = duties.includes('enrollments');
  const [asked, setAsked] = useState<OpenDialog | null>(null);
  /** Lazy-loaded: few students come with credits. */
  const opening = useAction({
    mutationFn: async (what: Omit<OpenDialog, 'part'>) => ({ ...what, part: await loadPart(() => import('./ExternalCreditDialogs.tsx')) }),
    onSuccess: setAsked,
    onError: (error) => showFailure('That could not be opened', failureWords(error, error.message)),
  });
  const close = () => setAsked(null);
  const voided = asked?.isVoiding ? asked.credit : null;
  return (
    <article className="card" aria-labelledby="external-credits">
      <header className="row">
        <h2 id="external-credits">Credits from Other Schools</h2>
        {mayRecord && <button type="button" className="button button-outline screen-only" onClick={() => opening.run({ credit: null, isVoiding: false })}>Record a Credit</button>}
      </header>
      {file.credits && <p className="muted">{`${creditsLine(file.credits)}.`}</p>}
      <ul className="rows bare">
        {credits.map((credit) => (
          <li className="row" key={credit.id}>
            <div>
              <strong dir="auto">{`${credit.code} · ${credit.name}`}</strong>
              <p className="muted" dir="auto">{factsText(credit)}</p>
              <p className="muted">
                <span>{`Recorded by ${credit.recordedBy}, ${momentText(credit.recordedAt, timeZone)}`}</span>
                {credit.changedAt && <span>{`; corrected by ${credit.changedBy}, ${momentText(credit.changedAt, timeZone)}`}</span>}
              </p>
              {credit.voidedAt && <p><span>{`Voided by ${credit.voidedBy}, ${momentText(credit.voidedAt, timeZone)}: `}</span><q dir="auto">{credit.voidedReason}</q></p>}
            </div>
            <div className="cluster">
              {credit.voidedAt && <span className="badge tone-red">void</span>}
              {credit.documentId !== null && duties.includes('documents') && <DocumentLink href={documentAddress(credit.documentId)}>Document</DocumentLink>}
              {mayRecord && !credit.voidedAt && (
                <>
                  <button type="button" className="button button-outline" aria-label={`Correct ${credit.code}`} onClick={() => opening.run({ credit, isVoiding: false })}>Correct</button>
                  <button type="button" className="button button-quiet" aria-label={`Void ${credit.code}`} onClick={() => opening.run({ credit, isVoiding: true })}>Void</button>
                </>
              )}
            </div>
          </li>
        ))}
      </ul>
      {asked && voided && <asked.part.VoidDialog studentId={studentId} credit={voided} onClose={close} />}
      {asked && !voided && <asked.part.CreditDialog file={file} credit={asked.credit} onClose={close} />}
    </article>
  );
}

/** "1 credit · mark 81 · June 20, 2026 · Sample Park Collegiate" */
function factsText({ credits, mark, completedOn, school }: ExternalCredit): string {
  const marked = mark === null ? [] : [`mark ${mark}${mark < 50 ? ', earns no credit' : ''}`];
  return [`${credits} ${credits === 1 ? 'credit' : 'credits'}`, ...marked, dateText(completedOn, ''), school].join(' · ');
}
