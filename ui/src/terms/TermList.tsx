// The list of terms, newest first.
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { useUser } from '../accounts/signedIn.ts';
import type { Term } from '../api-types.ts';
import { EmptyState } from '../components/EmptyState.tsx';
import { Icon } from '../components/Icon.tsx';
import { LoadFailed } from '../components/LoadFailed.tsx';
import { Notice } from '../components/Notice.tsx';
import { PageHead } from '../components/PageHead.tsx';
import { Spinner } from '../components/Spinner.tsx';
import { type Column, Table } from '../components/Table.tsx';
import { useDialogPart } from '../components/useDialogPart.ts';
import { dateText } from '../dates.ts';
import { skipQuestion } from '../components/useUnsavedChanges.tsx';
import { officePaths } from '../officePaths.ts';
import { waitingQuery } from '../staff/officeState.ts';
import { daysOffSentence } from './daysOff.ts';
import { termsQuery } from './queries.ts';
import { TermState } from './TermState.tsx';
import '../components/ListCard.css';

export function TermList() {
  const terms = useQuery(termsQuery);
  const heading = useRef<HTMLHeadingElement>(null);
  const mayChange = useUser().duties.includes('courses');
  const navigate = useNavigate();
  const isNoneOpen = useQuery(waitingQuery).data?.some(({ kind, count }) => kind === 'no_open_term' && count > 0);
  const [chosen, setChosen] = useState<Term | null>(null);
  const editing = useDialogPart(() => import('./TermDialog.tsx'));
  const copying = useDialogPart(() => import('./CopyTermDialog.tsx'));
  const copy = (term: Term) => {
    setChosen(term);
    copying.open();
  };
  const show = ({ id }: Term) => void navigate(officePaths.term(id), { state: skipQuestion });
  const add = mayChange && (
    <button type="button" className="button button-primary" onClick={editing.open}><Icon name="plus" /> Add a Term</button>
  );

  return (
    <>
      <PageHead eyebrow="Records" title="Terms" actions={add} />
      {isNoneOpen && (
        <Notice kind="plain" title="No term takes requests">
          <p>Families cannot ask for a section now or later: every published term is closed for requests. Add the next term, or publish one.</p>
        </Notice>
      )}
      <section className="card list-card" aria-labelledby="all-terms">
        <header className="row list-head">
          <div>
            <h2 id="all-terms" ref={heading} tabIndex={-1}>All Terms</h2>
            <p className="muted" role="status">{terms.data && (terms.data.length === 1 ? '1 term' : `${terms.data.length} terms`)}</p>
          </div>
        </header>
        {terms.isPending && <Spinner label="Loading terms..." />}
        {terms.isError && <LoadFailed words="Failed to load terms. Please try again later." query={terms} heading={heading} />}
        {terms.data?.length === 0 && (
          <EmptyState icon="calendar" title="No terms yet">
            <p>{mayChange ? 'A term has dates and days off, and the sections of courses that are taught in it.' : 'They will be listed here.'}</p>
          </EmptyState>
        )}
        {terms.data && terms.data.length > 0 && (
          <Table
            labelledBy="all-terms"
            rows={terms.data}
            name={({ name }) => name}
            columns={mayChange ? [...columns, actions(copy)] : columns}
          />
        )}
      </section>
      {editing.part && <editing.part.TermDialog term={null} onClose={editing.close} onSaved={show} />}
      {copying.part && chosen && <copying.part.CopyTermDialog term={chosen} onClose={copying.close} onCopied={show} />}
    </>
  );
}

const columns: Column<Term>[] = [
  { label: 'Term', place: 'lead', cell: ({ id, name }) => <Link to={officePaths.term(id)} dir="auto">{name}</Link>, folded: ({ startsOn }) => `from ${dateText(startsOn, '')}` },
  { label: 'First day', from: 'tablet', cell: ({ startsOn }) => dateText(startsOn, '') },
  { label: 'Last day', from: 'tablet', cell: ({ endsOn }) => dateText(endsOn, '') },
  { label: 'Late entry until', from: 'tablet', cell: ({ joinUntil }) => dateText(joinUntil, '') },
  {
    label: 'Days off',
    isNumber: true,
    from: 'desk',
    cell: ({ daysOff }) => <span title={daysOffSentence(daysOff) || undefined}>{daysOff.length}</span>,
  },
  { label: 'Published', from: 'tablet', cell: ({ isPublished }) => <TermState isPublished={isPublished} /> },
];

const actions = (copy: (term: Term) => void): Column<Term> => ({
  label: 'Actions',
  place: 'action',
  cell: (term) => (
    <span className="row-action row-decision">
      <button type="button" className="button button-outline" aria-label={`Copy ${term.name} to the next year`} onClick={() => copy(term)}>Copy</button>
    </span>
  ),
});
