// A document's file in the queue: a picture is shown here and can be turned and enlarged; a PDF opens in a tab of its own,
// under the same strict rules as everywhere. Each opening is recorded.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { DocumentReview } from '../../api-types.ts';
import { DocumentLink } from '../../components/GuardedLinks.tsx';
import { Icon } from '../../components/Icon.tsx';
import { useKeys } from '../../components/useKeys.ts';
import { faultNotes } from '../faults.ts';
import { documentAddress, documentName, examinationNotes } from '../types.ts';
import { documentProof } from './queries.ts';

const steps = [100, 150, 200, 300];

export function ReviewFile({ document }: { document: DocumentReview }) {
  const { id, contentType, examination, fault } = document;
  const [zoom, setZoom] = useState(0);
  const [turns, setTurns] = useState(0);
  const [isFailed, setIsFailed] = useState(false);
  const isPicture = contentType.startsWith('image/') && examination === 'passed' && !fault;
  // Where a person has to prove first who they are, they are asked before the picture is.
  const proof = useQuery({ queryKey: ['documents', 'proof', id], queryFn: documentProof, enabled: isPicture, staleTime: Infinity });
  const [enlarge, turn] = [() => setZoom((zoom + 1) % steps.length), () => setTurns(turns + 1)];
  useKeys(isPicture ? { z: enlarge, t: turn } : {});
  const warning = (fault && faultNotes[fault]) || examinationNotes[examination];
  return (
    <div>
      <div className="cluster">
        {isPicture && (
          <>
            <button type="button" className="button button-quiet" aria-keyshortcuts="z" onClick={enlarge}><span>{`Zoom ${steps[zoom]} % `}</span><kbd aria-hidden="true">Z</kbd></button>
            <button type="button" className="button button-quiet" aria-keyshortcuts="t" onClick={turn}>Turn <kbd aria-hidden="true">T</kbd></button>
          </>
        )}
        <DocumentLink href={documentAddress(id)} className="button button-outline" label={`Open ${documentName(document)} (opens in a new tab)`}>
          Open <Icon name="external" />
        </DocumentLink>
      </div>
      {warning && <p role="alert">{warning}</p>}
      {isPicture && proof.isSuccess && !isFailed && (
        // Focusable, so that the keys scroll an enlarged picture.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        <div className="review-picture" role="region" aria-label="The document" tabIndex={0}>
          <img
            src={documentAddress(id)}
            alt={documentName(document)}
            style={{ inlineSize: `${steps[zoom]}%`, rotate: `${turns * 90}deg` }}
            onError={() => setIsFailed(true)}
          />
        </div>
      )}
      {isFailed && <p role="alert">The picture could not be shown here. Please open it in a tab of its own.</p>}
      {!isPicture && !warning && <p className="muted">A PDF opens in a tab of its own. Come back here to decide.</p>}
    </div>
  );
}
