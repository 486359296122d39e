// The list of admission requests, newest first.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import type { Prefetch } from '../accounts/guards.ts';
import type { AdmissionRequest } from '../api-types.ts';
import { EmptyState } from '../components/EmptyState.tsx';
import { FilterSelect } from '../components/FilterSelect.tsx';
import { ListCard } from '../components/ListCard.tsx';
import { PageHead } from '../components/PageHead.tsx';
import { SearchBox } from '../components/SearchBox.tsx';
import { type Column, Table } from '../components/Table.tsx';
import { readListView, useListView } from '../components/useListView.ts';
import { shortDayText } from '../dates.ts';
import { paths } from '../paths.ts';
import { useSchool } from '../school/queries.ts';
import { admissionRequestsQuery } from './queries.ts';
import { RequestDialog } from './RequestDialog.tsx';
import { nameOf, readStatus, statusOptions } from './requests.ts';
import { RequestStatus } from './RequestStatus.tsx';

const titleId = 'admission-requests';

export const prefetch: Prefetch = (client, parameters) => [client.prefetchQuery(admissionRequestsQuery(readListView(parameters)))];

export function AdmissionRequestsPage() {
  const { view, search, filter, turnTo } = useListView();
  const status = readStatus(view.status);
  const requests = useQuery(admissionRequestsQuery({ ...view, status }));
  const [open, setOpen] = useState<AdmissionRequest | null>(null);
  const columns = columnsFor(useSchool().timeZone, setOpen);

  return (
    <>
      <PageHead
        eyebrow="Today"
        title="Admission Requests"
        actions={<Link className="button button-outline" to={paths.adminDashboard}>Back to Dashboard</Link>}
      >
        {/* Until decisions come: what nothing can change here is not left unexplained. */}
        <p>Please answer families by email or phone. Decisions cannot be recorded here yet.</p>
      </PageHead>
      <ListCard
        titleId={titleId}
        title="Requests"
        countText={(total) => (total === 1 ? '1 request' : `${total} requests`)}
        tools={
          <>
            <SearchBox label="Search by name or email..." value={view.q} onChange={search} />
            <FilterSelect label="Status" options={statusOptions} value={status} onChange={filter} />
          </>
        }
        query={requests}
        page={view.page}
        onTurn={turnTo}
        loading="Loading requests..."
        failed="Failed to load admission requests. Please try again later."
        empty={<NoRequests isFiltered={view.q.trim() !== '' || status !== ''} />}
      >
        {(rows) => <Table labelledBy={titleId} columns={columns} rows={rows} name={nameOf} />}
      </ListCard>
      {open && <RequestDialog request={open} onClose={() => setOpen(null)} />}
    </>
  );
}

function NoRequests({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) {
    return (
      <EmptyState icon="search" title="No requests found">
        <p>No requests match your search. Try different keywords or another status.</p>
      </EmptyState>
    );
  }
  return (
    <EmptyState icon="inbox" title="No admission requests yet">
      <p>Requests arrive through the school’s application form, which is not open yet.</p>
    </EmptyState>
  );
}

function columnsFor(timeZone: string, open: (request: AdmissionRequest) => void): Column<AdmissionRequest>[] {
  return [
    { label: 'Student', place: 'lead', cell: (row) => <strong dir="auto">{nameOf(row)}</strong>, folded: (row) => `Grade ${row.grade}` },
    { label: 'Grade', isNumber: true, from: 'tablet', cell: (row) => row.grade },
    { label: 'Previous School', place: 'side', from: 'desk', cell: (row) => <bdi title={row.previousSchool ?? undefined}>{row.previousSchool || '–'}</bdi> },
    { label: 'Email', place: 'rest', from: 'desk', cell: (row) => <bdi title={row.email}>{row.email}</bdi> },
    { label: 'Phone', from: 'desk', cell: (row) => row.phone },
    { label: 'Received', from: 'tablet', cell: (row) => shortDayText(row.createdAt, timeZone, 'Unknown date') },
    { label: 'Status', from: 'tablet', cell: (row) => <RequestStatus status={row.status} /> },
    {
      label: 'Action',
      place: 'action',
      cell: (row) => (
        <button type="button" className="button button-outline" aria-label={`View Request: ${nameOf(row)}`} onClick={() => open(row)}>
          View Request
        </button>
      ),
    },
  ];
}
