// A term in the office: its dates, and its sections as a sheet.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { useUser } from '../accounts/signedIn.ts';
import type { Term } from '../api-types.ts';
import { EmptyState } from '../components/EmptyState.tsx';
import { LoadFailed } from '../components/LoadFailed.tsx';
import { Notice } from '../components/Notice.tsx';
import { PageHead } from '../components/PageHead.tsx';
import { Spinner } from '../components/Spinner.tsx';
import { showToast } from '../components/toasts.ts';
import { useAction } from '../components/useAction.ts';
import { useDialogPart } from '../components/useDialogPart.ts';
import { dateText } from '../dates.ts';
import { UndoButton } from '../enrollments/UndoButton.tsx';
import { officePaths } from '../officePaths.ts';
import { daysOffSentence } from './daysOff.ts';
import { changeTerm, refreshSections, termsQuery } from './queries.ts';
import { Sections } from './Sections.tsx';
import { TermState } from './TermState.tsx';
import { type MovedTerm, movedOf } from './told.ts';
import { studentsText, tellFailure } from './words.ts';

export function TermView({ id }: { id: number }) {
  const terms = useQuery(termsQuery);
  const heading = useRef<HTMLHeadingElement>(null);
  const term = terms.data?.find((one) => one.id === id);
  if (term) return <LoadedTerm key={id} term={term} />;
  return (
    <>
      <PageHead ref={heading} eyebrow="Records" title="Term" actions={<BackToTerms />} />
      {terms.isPending && <Spinner label="Loading the term..." />}
      {terms.data && <EmptyState icon="calendar" title="Term not found"><p>The address may be wrong.</p></EmptyState>}
      {terms.isError && <LoadFailed words="Failed to load the term. Please try again later." query={terms} heading={heading} />}
    </>
  );
}

const BackToTerms = () => <Link className="button button-outline" to={officePaths.terms}>Back to Terms</Link>;

function LoadedTerm({ term }: { term: Term }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const mayChange = useUser().duties.includes('courses');
  const [moved, setMoved] = useState<MovedTerm | null>(null);
  const editing = useDialogPart(() => import('./TermDialog.tsx'));
  const copying = useDialogPart(() => import('./CopyTermDialog.tsx'));
  const publishing = useAction({
    mutationFn: () => changeTerm(term, { isPublished: !term.isPublished }),
    onSuccess: ({ isPublished, name }) => {
      showToast(isPublished ? 'Term published' : 'Term hidden', isPublished ? `Families see ${name} and its open sections.` : `Families no longer see ${name}.`);
      refreshSections(client);
    },
    onError: tellFailure,
  });

  return (
    <>
      <PageHead
        eyebrow="Terms"
        title={term.name}
        actions={
          <>
            <BackToTerms />
            {mayChange && (
              <>
                <button type="button" className="button button-outline" onClick={copying.open}>Copy to the Next Year</button>
                <button type="button" className="button button-outline" onClick={editing.open}>Edit Dates</button>
                <button type="button" className={`button button-${term.isPublished ? 'quiet' : 'primary'}`} aria-disabled={publishing.isPending} onClick={() => publishing.run()}>
                  {term.isPublished ? 'Hide From Families' : 'Publish'}
                </button>
              </>
            )}
          </>
        }
      >
        <TermDates term={term} />
      </PageHead>
      {moved && (
        <Notice kind="plain">
          <p id="term-moved">{`The term has moved. ${studentsText(moved.told)} ${moved.told === 1 ? 'gets' : 'get'} an email in a minute.`}</p>
          <UndoButton
            describedBy="term-moved"
            decided={moved.decided}
            onUndone={() => {
              setMoved(null);
              refreshSections(client);
            }}
          />
        </Notice>
      )}
      <Sections term={term} mayChange={mayChange} />
      {editing.part && (
        <editing.part.TermDialog
          term={term}
          onClose={editing.close}
          onSaved={(saved) => {
            editing.close();
            setMoved(movedOf(saved));
          }}
        />
      )}
      {copying.part && (
        <copying.part.CopyTermDialog
          term={term}
          onClose={copying.close}
          onCopied={(copy) => {
            copying.close();
            void navigate(officePaths.term(copy.id));
          }}
        />
      )}
    </>
  );
}

function TermDates({ term: { startsOn, endsOn, joinUntil, daysOff, isPublished } }: { term: Term }) {
  return (
    <>
      <p className="cluster">
        <TermState isPublished={isPublished} />
        <span>{`${dateText(startsOn, '')} – ${dateText(endsOn, '')} · late entry until ${dateText(joinUntil, '')}`}</span>
      </p>
      {daysOff.length > 0 && <p className="fine-print">{`Days off: ${daysOffSentence(daysOff)}`}</p>}
    </>
  );
}
