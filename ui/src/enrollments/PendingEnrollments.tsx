// The requests that wait for the office (section 2), oldest first, with a search and pages.
import { flushSync } from 'react-dom';
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
import { ApproveButton, approveId } from './ApproveButton.tsx';
import { otherPrice } from './fees.ts';
import { type Decision, usePendingRows } from './usePendingRows.ts';

const titleId = 'pending-enrollments';
const nextId = 'pending-next';

/** `isFailureTold`: the page says already that its data could not be loaded, and asks again for this too. */
export function PendingEnrollments({ isFailureTold }: { isFailureTold: boolean }) {
  const { view, search, turnTo } = useListView();
  const { query, decisions, decidedCount, decide, showNext } = usePendingRows(view);
  const mayApprove = useUser().duties.includes('enrollments');
    const isSearched = view.q.trim() !== '';
  const hasRows = Boolean(query.data?.total);

  function finish(row: PendingEnrollment, decision: Decision, hadFocus: boolean) {
    flushSync(() => decide(row.id, decision));
    // Whoever went on meanwhile is not called back; whoever sees the focus is led on.
    if (!hadFocus) return;
    const rows = query.data?.rows ?? [];
    const place = rows.findIndex(({ id }) => id === row.id);
    const waiting = [...rows.slice(place + 1), ...rows.slice(0, place)].find(({ id }) => !decisions[id]);
    const preventScroll = !document.activeElement?.matches(':focus-visible');
    document.getElementById(waiting ? approveId(waiting.id) : nextId)?.focus({ preventScroll });
  }

  async function goOn() {
    await showNext();
    document.getElementById(titleId)?.focus();
  }

  if (query.isError && isFailureTold) return null;
  const columns = [...facts, status(decisions), ...(mayApprove ? [action(decisions, finish)] : [])];
  return (
    <ListCard
      titleId={titleId}
      title="Pending Enrollment Requests"
      countText={(total) => (total - decidedCount === 1 ? '1 request' : `${total - decidedCount} requests`)}
      // Nothing to search in nothing.
      tools={(hasRows || isSearched) && <SearchBox label="Search by student or course..." value={view.q} onChange={search} />}
      query={query}
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
      {(rows) => (
        <>
          <Table labelledBy={titleId} columns={columns} rows={rows} isDone={({ id }) => id in decisions} />
          {decidedCount > 0 && (
            <p className="list-next">
              <button type="button" id={nextId} className="button button-outline" onClick={() => void goOn()}>
                Show the next ones
              </button>
            </p>
          )}
        </>
      )}
    </ListCard>
  );
}

const facts: Column<PendingEnrollment>[] = [
  {
    label: 'Student',
    cell: (row) => (
      <>
        <strong dir="auto" id={`student-${row.id}`}>{row.student_name}</strong>
        <small><EmailAddress address={row.student_email} /></small>
        {row.identity_changed && <small className="flag">Personal details changed after an approval</small>}
      </>
    ),
  },
  {
    label: 'Course',
    cell: (row) => <><strong dir="auto" id={`course-${row.id}`}>{row.course_name}</strong><small>{row.course_code}</small></>,
  },
  { label: 'Grade', cell: (row) => row.course_grade },
  { label: 'Start Date', cell: (row) => <span className="nowrap">{dateText(row.start_date, 'Not set')}</span> },
  { label: 'End Date', cell: (row) => <span className="nowrap">{dateText(row.end_date, 'Not set')}</span> },
  {
    label: 'Fee',
    cell: (row) => (
      <>
        <span className="nowrap">{moneyText(row.course_fee, 'Not set')}</span>
        {otherPrice(row) && <small>{otherPrice(row)}</small>}
      </>
    ),
  },
];

/** The one place of a row that says its state. */
const status = (decisions: Record<number, Decision>): Column<PendingEnrollment> => ({
  label: 'Status',
  cell: (row) => <StatusBadge status={decisions[row.id]?.status ?? row.status} />,
});

const action = (
  decisions: Record<number, Decision>,
  onDecided: (row: PendingEnrollment, decision: Decision, hadFocus: boolean) => void,
): Column<PendingEnrollment> => ({
  label: 'Action',
  cell: (row) => {
    const decision = decisions[row.id];
    // The place of the button stays, so that no row moves.
    if (decision) return <span className="approve-place">{decision.words && <small>{decision.words}</small>}</span>;
    return (
      <span className="approve-place">
        <ApproveButton enrollment={row} onDecided={(...told) => onDecided(row, ...told)} />
      </span>
    );
  },
});
