// The requests that wait for the office (section 2), oldest first, with a search and pages.
import { useQuery } from '@tanstack/react-query';
import type { PendingEnrollment } from '../api-types.ts';
import { EmptyState } from '../components/EmptyState.tsx';
import { LoadFailed } from '../components/LoadFailed.tsx';
import { Pager } from '../components/Pager.tsx';
import { SearchBox } from '../components/SearchBox.tsx';
import { Spinner } from '../components/Spinner.tsx';
import { StatusBadge } from '../components/StatusBadge.tsx';
import { type Column, Table } from '../components/Table.tsx';
import { useListView } from '../components/useListView.ts';
import { dateText } from '../dates.ts';
import { moneyText } from '../money.ts';
import { useUser } from '../staff/OfficeLayout.tsx';
import { ApproveButton } from './ApproveButton.tsx';
import { pendingEnrollmentsQuery } from './queries.ts';

const titleId = 'pending-enrollments';

export function PendingEnrollments() {
  const { view, search, turnTo } = useListView();
  const pending = useQuery(pendingEnrollmentsQuery(view));
  const mayApprove = useUser().duties.includes('enrollments');
  const isSearched = view.q.trim() !== '';
  const total = pending.data?.total;

  return (
    <section className="card table-card" aria-labelledby={titleId}>
      <div className="card-head">
        <h2 id={titleId} tabIndex={-1}>Pending Enrollment Requests</h2>
        {(total || isSearched) && (
          <SearchBox label="Search by student or course..." value={view.q} onChange={search} />
        )}
      </div>
      {pending.isPending && <Spinner label="Loading requests..." />}
      {pending.isError && (
        <LoadFailed words="Failed to load dashboard data. Please try again later." query={pending} />
      )}
      {pending.isSuccess && pending.data.rows.length > 0 && (
        <Table labelledBy={titleId} columns={mayApprove ? [...facts, action] : facts} rows={pending.data.rows} />
      )}
      {pending.isSuccess && pending.data.total === 0 && (
        isSearched
          ? <EmptyState icon="search" title="No request matches your search"><p>Try a name, an email address or a course code.</p></EmptyState>
          : <EmptyState icon="check" title="No pending enrollment requests at this time" />
      )}
      <Pager page={view.page} total={total} onTurn={turnTo} />
    </section>
  );
}

const facts: Column<PendingEnrollment>[] = [
  { label: 'Student', cell: (row) => <><strong dir="auto" id={`student-${row.id}`}>{row.student_name}</strong><small>{row.student_email}</small></> },
  { label: 'Course', cell: (row) => <><strong dir="auto" id={`course-${row.id}`}>{row.course_name}</strong><small>{row.course_code}</small></> },
  { label: 'Grade', cell: (row) => row.course_grade },
  { label: 'Start Date', cell: (row) => <span className="nowrap">{dateText(row.start_date, 'Not set')}</span> },
  { label: 'End Date', cell: (row) => <span className="nowrap">{dateText(row.end_date, 'Not set')}</span> },
  { label: 'Fee', cell: (row) => <span className="nowrap">{moneyText(row.course_fee, 'Not set')}</span> },
  { label: 'Status', cell: (row) => <StatusBadge status={row.status} /> },
];

const action: Column<PendingEnrollment> = {
  label: 'Action',
  // The approved row is gone, and the focus with it: it moves to the table's heading.
  cell: (row) => <ApproveButton enrollment={row} onApproved={() => document.getElementById(titleId)?.focus()} />,
};
