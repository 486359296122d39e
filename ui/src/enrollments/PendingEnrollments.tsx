// The requests that wait for the office (section 2), oldest first, with a search and pages.
import { useQuery } from '@tanstack/react-query';
import type { PendingEnrollment } from '../api-types.ts';
import { EmailAddress } from '../components/EmailAddress.tsx';
import { EmptyState } from '../components/EmptyState.tsx';
import { ListCard } from '../components/ListCard.tsx';
import { SearchBox } from '../components/SearchBox.tsx';
import { StatusBadge } from '../components/StatusBadge.tsx';
import { type Column, Table } from '../components/Table.tsx';
import { useListView } from '../components/useListView.ts';
import { dateText } from '../dates.ts';
import { moneyText } from '../money.ts';
import { useUser } from '../staff/useUser.ts';
import { ApproveButton } from './ApproveButton.tsx';
import { pendingEnrollmentsQuery } from './queries.ts';

const titleId = 'pending-enrollments';

/** `isFailureTold`: the page says already that its data could not be loaded, and asks again for this too. */
export function PendingEnrollments({ isFailureTold }: { isFailureTold: boolean }) {
  const { view, search, turnTo } = useListView();
  const pending = useQuery(pendingEnrollmentsQuery(view));
  const mayApprove = useUser().duties.includes('enrollments');
  const isSearched = view.q.trim() !== '';
  const hasRows = Boolean(pending.data?.total);

  if (pending.isError && isFailureTold) return null;
  return (
    <ListCard
      titleId={titleId}
      title="Pending Enrollment Requests"
      countText={(total) => (total === 1 ? '1 request' : `${total} requests`)}
      // Nothing to search in nothing.
      tools={(hasRows || isSearched) && <SearchBox label="Search by student or course..." value={view.q} onChange={search} />}
      query={pending}
      page={view.page}
      onTurn={turnTo}
      loading="Loading requests..."
      failed="Failed to load dashboard data. Please try again later."
      empty={
        isSearched ? (
          <EmptyState icon="search" title="No request matches your search">
            <p>Try a name, an email address or a course code.</p>
          </EmptyState>
        ) : (
          <EmptyState icon="check" title="No pending enrollment requests at this time" />
        )
      }
    >
      {(rows) => <Table labelledBy={titleId} columns={mayApprove ? [...facts, action] : facts} rows={rows} />}
    </ListCard>
  );
}

const facts: Column<PendingEnrollment>[] = [
  {
    label: 'Student',
    cell: (row) => <><strong dir="auto" id={`student-${row.id}`}>{row.student_name}</strong><small><EmailAddress address={row.student_email} /></small></>,
  },
  {
    label: 'Course',
    cell: (row) => <><strong dir="auto" id={`course-${row.id}`}>{row.course_name}</strong><small>{row.course_code}</small></>,
  },
  { label: 'Grade', cell: (row) => row.course_grade },
  { label: 'Start Date', cell: (row) => <span className="nowrap">{dateText(row.start_date, 'Not set')}</span> },
  { label: 'End Date', cell: (row) => <span className="nowrap">{dateText(row.end_date, 'Not set')}</span> },
  { label: 'Fee', cell: (row) => <span className="nowrap">{moneyText(row.course_fee, 'Not set')}</span> },
  { label: 'Status', cell: (row) => <StatusBadge status={row.status} /> },
];

const action: Column<PendingEnrollment> = {
  label: 'Action',
  cell: (row) => <ApproveButton enrollment={row} headingId={titleId} />,
};
