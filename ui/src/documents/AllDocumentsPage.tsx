// Student Documents (section 2): all uploads, with search and pages.
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { Prefetch } from '../accounts/guards.ts';
import { useUser } from '../accounts/signedIn.ts';
import type { ListedDocument } from '../api-types.ts';
import { optionsOf, readWord } from '../closedSets.ts';
import { EmailAddress } from '../components/EmailAddress.tsx';
import { EmptyState } from '../components/EmptyState.tsx';
import { FilterSelect } from '../components/FilterSelect.tsx';
import { DocumentLink } from '../components/GuardedLinks.tsx';
import { Icon } from '../components/Icon.tsx';
import { ListCard } from '../components/ListCard.tsx';
import { PageHead } from '../components/PageHead.tsx';
import { SearchBox } from '../components/SearchBox.tsx';
import { type Column, Table } from '../components/Table.tsx';
import { useDialogPart } from '../components/useDialogPart.ts';
import { type ListView, readListView, useListView } from '../components/useListView.ts';
import { dayText } from '../dates.ts';
import { paths } from '../paths.ts';
import { useSchool } from '../school/queries.ts';
import { faultNotes } from './faults.ts';
import { sizeText } from './file.ts';
import { allDocumentsQuery } from './queries.ts';
import { ReviewQueue } from './review/ReviewQueue.tsx';
import { documentAddress, documentName, documentReviews, examinationNotes, reviewNote, signedNote } from './types.ts';

const titleId = 'all-documents';

/** Filters of the list. */
const filters = { pending_review: 'Waiting for review', accepted: 'Accepted', rejected: 'Rejected', expired: 'Expired', superseded: 'Replaced', lost: 'Lost files' } as const;
const filterOptions = [{ value: '', label: 'All documents' }, ...optionsOf(filters)];

const known = (view: ListView) => ({ ...view, status: readWord(filters, view.status) });

export const prefetch: Prefetch = (client, parameters) => [client.prefetchQuery(allDocumentsQuery(known(readListView(parameters))))];

export function AllDocumentsPage() {
  return (
    <>
      <PageHead
        eyebrow="Records"
        title="Student Documents"
        actions={<><RequirementsButton /><Link className="button button-outline" to={paths.adminDashboard}>Back to Dashboard</Link></>}
      />
      <Documents />
    </>
  );
}

/** Opens what the school asks for; its dialog is loaded on demand. */
function RequirementsButton() {
  const { part, isPending, open, close } = useDialogPart(() => import('./review/RequirementsDialog.tsx'));
  if (!useUser().duties.includes('students')) return null;
  return (
    <>
      <button type="button" className="button button-outline" aria-disabled={isPending} onClick={open}>Required Documents</button>
      {part && <part.RequirementsDialog onClose={close} />}
    </>
  );
}

/** What waits is reviewed one after the other by those who decide. */
function Documents() {
  const { view, filter } = useListView();
  const mayReview = useUser().duties.includes('students');
  if (!mayReview || view.status !== 'pending_review' || view.q.trim()) return <AllDocuments />;
  return <ReviewQueue tools={<FilterSelect label="Show" options={filterOptions} value={view.status} onChange={filter} />} />;
}

function AllDocuments() {
  const { view: asked, search, filter, turnTo } = useListView();
  const view = known(asked);
  const documents = useQuery(allDocumentsQuery(view));
  const columns = columnsFor(useSchool().timeZone);

  return (
    <ListCard
      titleId={titleId}
      title={view.status === 'lost' ? 'Documents with Lost Files' : view.status ? `Documents: ${filters[view.status]}` : 'All Documents'}
      countText={(total) => `${total === 1 ? '1 document' : `${total} documents`}${view.status === 'lost' && total ? '. Replace the file or write it off on the student’s page.' : ''}`}
      tools={
        <>
          <SearchBox label="Search documents..." value={view.q} onChange={search} />
          <FilterSelect label="Show" options={filterOptions} value={view.status} onChange={filter} />
        </>
      }
      query={documents}
      page={view.page}
      onTurn={turnTo}
      loading="Loading documents..."
      failed="Failed to load documents. Please try again later."
      empty={
        <EmptyState icon={view.q.trim() ? 'search' : 'file'} title="No documents found">
          <p>
            {view.q.trim()
              ? 'No documents match your search. Try different keywords.'
              : view.status === 'lost' ? 'No document files are lost.' : view.status ? 'No document is in this state.' : 'No students have uploaded any documents yet.'}
          </p>
        </EmptyState>
      }
    >
      {(rows) => <Table labelledBy={titleId} columns={columns} rows={rows} />}
    </ListCard>
  );
}

const nameOf = ({ student, studentId }: ListedDocument) => student.fullName || `Student #${studentId}`;

function columnsFor(timeZone: string): Column<ListedDocument>[] {
  return [
    {
      label: 'Document',
      cell: (row) => (
        <>
          <strong>{documentName(row)}</strong>
          <small><bdi>{row.originalName}</bdi> · <span className="nowrap">{sizeText(row.sizeBytes)}</span></small>
          {row.wasSigned && <small>{signedNote}</small>}
          {row.fault && <small>{faultNotes[row.fault]}</small>}
          {examinationNotes[row.examination] && <small>{examinationNotes[row.examination]}</small>}
        </>
      ),
    },
    { label: 'Student', cell: (row) => <><strong dir="auto"><Link to={paths.adminStudent(row.studentId)}>{nameOf(row)}</Link></strong><small><EmailAddress address={row.student.email} /></small></> },
    { label: 'Uploaded', cell: (row) => <span className="nowrap">{dayText(row.uploadedAt, timeZone, 'Unknown date')}</span> },
    { label: 'Review', cell: (row) => <><Review status={row.status} />{reviewNote(row) && <small dir="auto">{reviewNote(row)}</small>}</> },
    { label: 'Action', cell: (row) => <ViewLink document={row} /> },
  ];
}

function Review({ status }: Pick<ListedDocument, 'status'>) {
  const { label, tone } = documentReviews[status];
  return <span className={`badge tone-${tone}`}>{label}</span>;
}

function ViewLink({ document }: { document: ListedDocument }) {
  return (
    <DocumentLink
      href={documentAddress(document.id)}
      className="button button-outline"
      label={`View Document: ${documentName(document)}, ${nameOf(document)} (opens in a new tab)`}
    >
      View Document <Icon name="external" />
    </DocumentLink>
  );
}
