// Student Documents (section 2): all uploads, with search and pages.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { flushSync } from 'react-dom';
import { Link } from 'react-router';
import type { Prefetch } from '../accounts/guards.ts';
import { useUser } from '../accounts/signedIn.ts';
import { failureWords, getJson, isSignedOut } from '../api.ts';
import type { ListedDocument } from '../api-types.ts';
import { optionsOf, readWord } from '../closedSets.ts';
import { EmailAddress } from '../components/EmailAddress.tsx';
import { EmptyState } from '../components/EmptyState.tsx';
import { FilterSelect } from '../components/FilterSelect.tsx';
import { DownloadLink } from '../components/GuardedLinks.tsx';
import { ListCard } from '../components/ListCard.tsx';
import { PageHead } from '../components/PageHead.tsx';
import { SearchBox } from '../components/SearchBox.tsx';
import { type Column, Table } from '../components/Table.tsx';
import { showFailure } from '../components/toasts.ts';
import { useAction } from '../components/useAction.ts';
import { useDialogPart } from '../components/useDialogPart.ts';
import { type ListView, listParameters, readListView, useListView } from '../components/useListView.ts';
import { useMedia, wide } from '../components/useMedia.ts';
import { dayText, type Zone } from '../dates.ts';
import { officePaths } from '../officePaths.ts';
import { paths } from '../paths.ts';
import { useSchool } from '../school/queries.ts';
import { DocumentPane } from './DocumentPane.tsx';
import { sizeText } from './file.ts';
import { DocumentReview, nameOf, ViewDocument, warningOf } from './listed.tsx';
import { allDocumentsQuery } from './queries.ts';
import { DocumentDecisions } from './review/DocumentDecisions.tsx';
import { ReviewQueue } from './review/ReviewQueue.tsx';
import { documentName, documentReviews, reviewNote, signedNote } from './types.ts';

const titleId = 'all-documents';

/** Filters of the list. */
const filters = { pending_review: 'Waiting for review', accepted: 'Accepted', rejected: 'Rejected', expired: 'Expired', superseded: 'Replaced', lost: 'Lost files' } as const;
const filterOptions = [{ value: '', label: 'Any status' }, ...optionsOf(filters)];

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
  const isWide = useMedia(wide);
  const [chosen, setChosen] = useState<ListedDocument | null>(null);
  // Not in the address: a reload would record another view.
  const open = isWide ? chosen : null;
  const { timeZone } = useSchool();
  const mayExport = useUser().duties.includes('exports');
  const opening = useAction<void, ListedDocument>({
    // Asks for the password first, where the server requires it.
    mutationFn: () => getJson('/api/admin/documents/proof'),
    onSuccess: (_, document) => setChosen(document),
    onError: (error) => !isSignedOut(error) && showFailure('The document was not opened', failureWords(error, 'Please try again.')),
  });
  const columns = columnsFor(timeZone, isWide ? opening.run : null);

  function close() {
    flushSync(() => setChosen(null));
    if (open) document.getElementById(openId(open))?.focus();
  }

  return (
    <div className="panes">
      <ListCard
        titleId={titleId}
        title={view.status === 'lost' ? 'Documents with Lost Files' : view.status ? `Documents: ${filters[view.status]}` : 'All Documents'}
        countText={(total) => `${total === 1 ? '1 document' : `${total} documents`}${view.status === 'lost' && total ? '. Replace the file or write it off on the student’s page.' : ''}`}
        tools={
          <>
            <SearchBox label="Search documents..." value={view.q} onChange={search} />
            <FilterSelect label="Show" options={filterOptions} value={view.status} onChange={filter} />
            {mayExport && <DownloadLink className="button button-outline" href={`/api/admin/documents${listParameters(view)}&format=csv`}>CSV</DownloadLink>}
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
        {(rows) => <Table labelledBy={titleId} columns={columns} rows={rows} name={(row) => `${documentName(row)}, ${nameOf(row)}`} detail={detailFor(timeZone)} />}
      </ListCard>
      {open && <DocumentPane key={open.id} document={open} onClose={close} />}
    </div>
  );
}

const openId = ({ id }: ListedDocument) => `open-${id}`;

function columnsFor(timeZone: Zone, onOpen: ((document: ListedDocument) => void) | null): Column<ListedDocument>[] {
  return [
    {
      label: 'Document',
      place: 'lead',
      cell: (row) => {
        const type = documentName(row);
        if (!onOpen) return <strong>{type}</strong>;
        return <button type="button" id={openId(row)} className="row-open" aria-label={`Open ${type} of ${nameOf(row)} beside the list`} onClick={() => onOpen(row)}>{type}</button>;
      },
      folded: (row) => `${nameOf(row)} · ${documentReviews[row.status].label}`,
    },
    {
      label: 'Student',
      place: 'lead',
      from: 'tablet',
      cell: (row) => (
        <>
          <Link to={officePaths.student(row.studentId)} title={row.student.email} dir="auto">{nameOf(row)}</Link>
          <small className="sr-only"><bdi>{row.student.email}</bdi></small>
        </>
      ),
    },
    {
      label: 'File',
      place: 'side',
      from: 'desk',
      cell: (row) => {
        const warning = warningOf(row);
        return warning ? <span className="flag" title={warning}>{warning}</span> : <small title={row.originalName}><bdi>{row.originalName}</bdi><span>{` · ${sizeText(row.sizeBytes)}`}</span></small>;
      },
    },
    { label: 'Uploaded', from: 'desk', cell: (row) => dayText(row.uploadedAt, timeZone, 'Unknown date') },
    { label: 'Review', from: 'tablet', cell: (row) => <span title={reviewNote(row) ?? undefined}><DocumentReview status={row.status} /></span> },
    { label: 'Action', place: 'action', cell: (row) => <ViewDocument document={row} /> },
  ];
}

const detailFor = (timeZone: Zone) => (row: ListedDocument) => (
  <>
    <dl className="pairs">
      <div><dt>Email</dt><dd><EmailAddress address={row.student.email} /></dd></div>
      <div><dt>File</dt><dd><bdi>{row.originalName}</bdi><span>{` · ${sizeText(row.sizeBytes)}${row.wasSigned ? `, ${signedNote}` : ''}`}</span></dd></div>
      <div><dt>Uploaded</dt><dd>{dayText(row.uploadedAt, timeZone, 'Unknown date')}</dd></div>
      {reviewNote(row) && <div><dt>Review</dt><dd dir="auto">{reviewNote(row)}</dd></div>}
      {warningOf(row) && <div><dt>Opening</dt><dd className="flag">{warningOf(row)}</dd></div>}
    </dl>
    <div className="cluster"><DocumentDecisions document={row} /></div>
  </>
);
