// One document of the queue: its file, what the profile says, the earlier ones of its type, and what can be decided.
import { useQuery } from '@tanstack/react-query';
import { useEffect, useId, useRef, useState } from 'react';
import { Link } from 'react-router';
import type { DocumentReview } from '../../api-types.ts';
import { LoadFailed } from '../../components/LoadFailed.tsx';
import { Spinner } from '../../components/Spinner.tsx';
import { useDialogPart } from '../../components/useDialogPart.ts';
import { useKeys } from '../../components/useKeys.ts';
import { dateText, dayText } from '../../dates.ts';
import { officePaths } from '../../officePaths.ts';
import { useSchool } from '../../school/queries.ts';
import { documentName, documentReviews, reviewNote } from '../types.ts';
import { lookAt, reviewQuery, type Verdict } from './queries.ts';
import { ReviewFile } from './ReviewFile.tsx';

type ReviewDocumentProps = {
  id: number;
  onDecide: (verdict: Verdict) => void;
  onDelete: (reason: string) => void;
  onNext: () => void;
};

const looks_ms = 60_000;

export function ReviewDocument({ id, ...acts }: ReviewDocumentProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const review = useQuery(reviewQuery(id));
  if (review.isError) return <LoadFailed words="Failed to load the document. Please try again later." query={review} heading={heading} />;
  if (!review.isSuccess) return <Spinner label="Loading the document..." />;
  return <Reviewing review={review.data} {...acts} />;
}

function Reviewing({ review, onDecide, onDelete, onNext }: Omit<ReviewDocumentProps, 'id'> & { review: DocumentReview }) {
  const { id, facts } = review;
  const { timeZone } = useSchool();
  const others = useOthers(id);
  const isCompared = review.documentType === 'government_id' && facts.fullName !== null && facts.dateOfBirth !== null;
  const [ticks, setTicks] = useState({ name: false, birth: false });
  const [expiresOn, setExpiresOn] = useState('');
  const [isAsking, setIsAsking] = useState(false);
  const rejecting = useDialogPart(() => import('./RejectDialog.tsx'));
  const deleting = useDialogPart(() => import('./DeleteDialog.tsx'));
  const expiryId = useId();

  const toggle = (tick: 'name' | 'birth') => setTicks((before) => ({ ...before, [tick]: !before[tick] }));
  function accept() {
    const isMissing = isCompared && !(ticks.name && ticks.birth);
    setIsAsking(isMissing);
    if (!isMissing) onDecide({ verb: 'accept', expiresOn: expiresOn || null, isCompared });
  }
  useKeys({
    a: accept,
    r: rejecting.open,
    n: onNext,
    d: deleting.open,
    1: isCompared ? () => toggle('name') : undefined,
    2: isCompared ? () => toggle('birth') : undefined,
  });

  return (
    <div className="review-panes">
      <ReviewFile document={review} />
      <div>
        <h3>{documentName(review)}</h3>
        <p className="muted">{`Uploaded ${review.isFromOffice ? 'by the office ' : ''}on ${dayText(review.uploadedAt, timeZone, '')}`}</p>
        {others.length > 0 && <p role="status"><strong>{`${others.join(' and ')} ${others.length === 1 ? 'is' : 'are'} looking at this`}</strong></p>}
        <dl className="pairs">
          <div>
            <dt>Name</dt>
            <dd dir="auto">{facts.fullName ? <Link to={officePaths.student(review.studentId)}>{facts.fullName}</Link> : <Link to={officePaths.student(review.studentId)}>Not given yet</Link>}</dd>
          </div>
          <div><dt>Date of birth</dt><dd>{dateText(facts.dateOfBirth, 'Not given yet')}</dd></div>
          <div><dt>Address</dt><dd dir="auto">{facts.address ?? 'Not given yet'}</dd></div>
          {facts.lastSchool && <div><dt>Last school</dt><dd dir="auto">{facts.lastSchool}</dd></div>}
        </dl>
        {isCompared && (
          <fieldset>
            <legend>Compared with the document</legend>
            <label className="tick"><input type="checkbox" aria-keyshortcuts="1" checked={ticks.name} onChange={() => toggle('name')} /><span> The name is the same <kbd aria-hidden="true">1</kbd></span></label>
            <label className="tick"><input type="checkbox" aria-keyshortcuts="2" checked={ticks.birth} onChange={() => toggle('birth')} /><span> The date of birth is the same <kbd aria-hidden="true">2</kbd></span></label>
            {isAsking && !(ticks.name && ticks.birth) && <p role="alert" className="field-error">Compare both before you accept. This is the identity check.</p>}
          </fieldset>
        )}
        <div className="field">
          <label htmlFor={expiryId}>Valid until</label>
          <p className="field-hint">{review.validMonths ? `Leave empty for ${review.validMonths} months from today.` : 'Leave empty if it does not expire.'}</p>
          <input id={expiryId} type="date" value={expiresOn} onChange={(event) => setExpiresOn(event.target.value)} />
        </div>
        <div className="cluster review-acts">
          <button type="button" className="button button-primary" aria-keyshortcuts="a" onClick={accept}>Accept <kbd aria-hidden="true">A</kbd></button>
          <button type="button" className="button button-outline" aria-keyshortcuts="r" onClick={rejecting.open}>Reject <kbd aria-hidden="true">R</kbd></button>
          <button type="button" className="button button-quiet" aria-keyshortcuts="n" onClick={onNext}>Next <kbd aria-hidden="true">N</kbd></button>
          <button type="button" className="button button-quiet" aria-keyshortcuts="d" onClick={deleting.open}>Delete <kbd aria-hidden="true">D</kbd></button>
        </div>
        {review.earlier.length > 0 && (
          <>
            <h4>Earlier ones of this type</h4>
            <ul className="rows bare">
              {review.earlier.map((one) => (
                <li key={one.id}>
                  <span className={`badge tone-${documentReviews[one.status].tone}`}>{documentReviews[one.status].label}</span>
                  <span>{` ${dayText(one.uploadedAt, timeZone, '')}`}</span>
                  {reviewNote(one) && <p className="muted" dir="auto">{reviewNote(one)}</p>}
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
      {rejecting.part && (
        <rejecting.part.RejectDialog document={review} onClose={rejecting.close} onReject={(code, text) => {
          rejecting.close();
          onDecide({ verb: 'reject', code, text });
        }} />
      )}
      {deleting.part && (
        <deleting.part.DeleteDialog document={review} onClose={deleting.close} onDelete={(reason) => {
          deleting.close();
          onDelete(reason);
        }} />
      )}
    </div>
  );
}

/** Other reviewers who have the document open; refetched every minute. */
function useOthers(id: number): string[] {
  const [others, setOthers] = useState<string[]>([]);
  useEffect(() => {
    let isHere = true;
    // Not told: who looks is only advice.
    const look = () => void lookAt(id).then((found) => isHere && setOthers(found.others), () => undefined);
    look();
    const timer = setInterval(look, looks_ms);
    return () => {
      isHere = false;
      clearInterval(timer);
    };
  }, [id]);
  return others;
}
