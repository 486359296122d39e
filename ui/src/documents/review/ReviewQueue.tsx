// The documents that wait for the office, the oldest first, one after the other: a file beside what its student's profile
// says, and the keys that decide. The last decision can be undone until its email leaves.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { ApiError, failureWords, isSignedOut, type Rows } from '../../api.ts';
import type { ListedDocument, ReviewedDocument } from '../../api-types.ts';
import type { Elements } from '../../components/elements.ts';
import { EmptyState } from '../../components/EmptyState.tsx';
import { LoadFailed } from '../../components/LoadFailed.tsx';
import { Spinner } from '../../components/Spinner.tsx';
import { showFailure, showToast } from '../../components/toasts.ts';
import { useAction } from '../../components/useAction.ts';
import { documentName, documentReviews } from '../types.ts';
import { decideDocument, deleteDocument, queueQuery, undoDecision, type Verdict } from './queries.ts';
import { ReviewDocument } from './ReviewDocument.tsx';
import './review.css';

/** What was decided last, while it can be taken back. */
type LastDecision = { id: number; words: string; undo: string | null };

export function ReviewQueue({ tools }: { tools: Elements }) {
  const client = useQueryClient();
  const heading = useRef<HTMLHeadingElement>(null);
  const queue = useQuery(queueQuery);
  // The queue as it was begun: it does not move under the reviewer's hands.
  const [begun, setBegun] = useState<{ ids: number[]; total: number } | null>(null);
  const [place, setPlace] = useState(0);
  const [last, setLast] = useState<LastDecision | null>(null);
  if (!begun && queue.isSuccess && !queue.isFetching) {
    setBegun(begunWith(queue.data));
  }
  const id = begun?.ids[place];

  function show(next: number) {
    flushSync(() => setPlace(next));
    heading.current?.focus();
  }

  /** Begins again with what waits now; the last one stays until that is known. */
  async function begin() {
    const { data } = await queue.refetch();
    flushSync(() => {
      setBegun(data ? begunWith(data) : null);
      setPlace(0);
    });
    heading.current?.focus();
  }

  function advance() {
    void client.invalidateQueries({ queryKey: ['documents', 'all'] });
    if (begun && place + 1 < begun.ids.length) show(place + 1);
    else void begin();
  }

  const deciding = useAction<ReviewedDocument, Verdict>({
    mutationFn: (verdict) => decideDocument(id ?? 0, verdict),
    onSuccess: (document) => {
      setLast({ id: document.id, words: decidedWords(document), undo: document.undo?.id ?? null });
      advance();
    },
    onError: (error) => {
      if (isSignedOut(error)) return;
      const now = error instanceof ApiError && error.status === 409 ? (error.current as ListedDocument | null) : null;
      showFailure(now ? 'Decided meanwhile' : 'The document was not decided', now ? decidedWords(now) : failureWords(error, 'Please try again.'));
      if (now && now.status !== 'pending_review') advance();
    },
  });
  const removing = useAction<void, string>({
    mutationFn: (reason) => deleteDocument(id ?? 0, reason),
    onSuccess: () => {
      showToast('Document deleted', 'Its reason is kept in the audit trail.');
      setLast(null);
      advance();
    },
    onError: (error) => !isSignedOut(error) && showFailure('The document was not deleted', failureWords(error, 'Please try again.')),
  });
  const undoing = useAction<unknown, LastDecision>({
    mutationFn: ({ undo }) => undoDecision(undo ?? ''),
    onSuccess: async (_, { id: undone }) => {
      showToast('Decision undone', 'The document waits again, and no email about it was sent.');
      setLast(null);
      await client.invalidateQueries({ queryKey: ['documents', 'review', undone] });
      if (begun?.ids.includes(undone)) show(begun.ids.indexOf(undone));
      else void begin();
    },
    onError: (error) => !isSignedOut(error) && showFailure('The decision stands', failureWords(error, 'It could not be undone. Please try again.')),
  });

  return (
    <section className="card review" aria-labelledby="review-title">
      <header className="row">
        <h2 id="review-title" ref={heading} tabIndex={-1}>{begun && id !== undefined ? `Review: ${place + 1} of ${begun.total}` : 'Review'}</h2>
        {last && (
          <p className="cluster" role="status">
            <span>{last.words}</span>
            {last.undo && <button type="button" className="button button-quiet" onClick={() => undoing.run(last)}>Undo</button>}
          </p>
        )}
        {tools}
      </header>
      {queue.isError && !begun && <LoadFailed words="Failed to load the documents that wait. Please try again later." query={queue} heading={heading} />}
      {!queue.isError && !begun && <Spinner label="Loading documents..." />}
      {begun && id === undefined && <EmptyState icon="check" title="Nothing waits for review"><p>Every document has been decided.</p></EmptyState>}
      {id !== undefined && (
        <ReviewDocument
          key={id}
          id={id}
          onDecide={deciding.run}
          onDelete={removing.run}
          onNext={advance}
        />
      )}
    </section>
  );
}

const begunWith = ({ rows, total }: Rows<ListedDocument>) => ({ ids: rows.map(({ id }) => id), total });

/** "School Transcript of Mei Lin: Accepted" */
function decidedWords(document: ListedDocument): string {
  const of = document.student.fullName ?? document.student.email;
  return `${documentName(document)} of ${of}: ${documentReviews[document.status].label}${document.reviewedBy ? ` by ${document.reviewedBy}` : ''}`;
}
