// The requests that wait for the office (section 2), oldest first, with a search and pages.
import { Link } from 'react-router';
import type { PendingEnrollment } from '../api-types.ts';
import { EmailAddress } from '../components/EmailAddress.tsx';
import { EmptyState } from '../components/EmptyState.tsx';
import { ListCard } from '../components/ListCard.tsx';
import { NextOnes } from '../components/NextOnes.tsx';
import { SearchBox } from '../components/SearchBox.tsx';
import { StatusBadge } from '../components/StatusBadge.tsx';
import { type Column, Table } from '../components/Table.tsx';
import { useHeldRows } from '../components/useHeldRows.ts';
import { useListView } from '../components/useListView.ts';
import { dateText } from '../dates.ts';
import { moneyText } from '../money.ts';
import { paths } from '../paths.ts';
import { useUser } from '../staff/useUser.ts';
import { ApproveButton, approveId } from './ApproveButton.tsx';
import { DeclineButton } from './DeclineButton.tsx';
import type { Decided } from './decided.ts';
import { otherPrice } from './fees.ts';
import { pendingEnrollmentsQuery, pendingKey, unpricedKey } from './queries.ts';
import { UndoButton } from './UndoButton.tsx';

const titleId = 'pending-enrollments';

type PendingEnrollmentsProps = {
  /** The page says already that its data could not be loaded, and asks again for this too. */
  isFailureTold: boolean;
  /** What stands above is not known yet: rows that came first would move when it comes. */
  isHeldBack: boolean;
};

export function PendingEnrollments({ isFailureTold, isHeldBack }: PendingEnrollmentsProps) {
  const { view, search, turnTo } = useListView();
  const { query, decisions, decidedCount, decide, takeBack, showNext } = useHeldRows({
    options: pendingEnrollmentsQuery(view),
    listKey: pendingKey,
    staleKeys: [['dashboard'], unpricedKey],
    titleId,
    buttonId: approveId,
  });
  const { duties } = useUser();
  const mayDecide = duties.includes('enrollments');
  const isSearched = view.q.trim() !== '';
  const hasRows = Boolean(query.data?.total);

  if (query.isError && isFailureTold) return null;
  const columns = [...facts(mayDecide), status(decisions), ...(mayDecide ? [action(decisions, decide, takeBack)] : [])];
  return (
    <ListCard
      titleId={titleId}
      title="Pending Enrollment Requests"
      countText={(total) => (total - decidedCount === 1 ? '1 request' : `${total - decidedCount} requests`)}
      // Nothing to search in nothing.
      tools={((hasRows && !isHeldBack) || isSearched) && <SearchBox label="Search by student or course..." value={view.q} onChange={search} />}
      query={isHeldBack ? ({ ...query, data: undefined, isPending: true, isError: false } as typeof query) : query}
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
          <NextOnes titleId={titleId} label="Show the next ones" decidedCount={decidedCount} onShow={showNext} />
        </>
      )}
    </ListCard>
  );
}

const facts = (mayDecide: boolean): Column<PendingEnrollment>[] => [
  {
    label: 'Student',
    cell: (row) => (
      <>
        <strong dir="auto" id={`student-${row.id}`}>{row.student_name}</strong>
        <small><EmailAddress address={row.student_email} /></small>
        {row.identity_changed && <small className="flag"><ChangedDetails isLink={mayDecide} /></small>}
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

function ChangedDetails({ isLink }: { isLink: boolean }) {
  const words = 'Personal details changed after an approval';
  return isLink ? <Link to={paths.adminIdentityChanges}>{words}</Link> : words;
}

/** The one place of a row that says its state. */
const status = (decisions: Record<number, Decided>): Column<PendingEnrollment> => ({
  label: 'Status',
  cell: (row) => <StatusBadge status={decisions[row.id]?.status ?? row.status} />,
});

const action = (
  decisions: Record<number, Decided>,
  onDecided: (id: number, decided: Decided, hadFocus: boolean) => void,
  onUndone: (id: number, hadFocus: boolean) => void,
): Column<PendingEnrollment> => ({
  label: 'Action',
  cell: (row) => {
    const decision = decisions[row.id];
    // The place of the button stays, so that no row moves.
    if (decision) {
      return (
        <span className="row-action row-decision">
          {decision.words && <small>{decision.words}</small>}
          <UndoButton id={row.id} decided={decision} onUndone={(hadFocus) => onUndone(row.id, hadFocus)} />
        </span>
      );
    }
    return (
      <span className="row-action row-decision">
        <ApproveButton enrollment={row} onDecided={(...decided) => onDecided(row.id, ...decided)} />
        <DeclineButton enrollment={row} onDecided={(...decided) => onDecided(row.id, ...decided)} />
      </span>
    );
  },
});
