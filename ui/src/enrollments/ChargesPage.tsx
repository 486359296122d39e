// Unpriced Enrollments: those approved without a price, which add nothing to the fees due until they are charged.
import { useState } from 'react';
import { flushSync } from 'react-dom';
import { Link } from 'react-router';
import type { Prefetch } from '../accounts/guards.ts';
import { useUser } from '../accounts/signedIn.ts';
import type { UnpricedEnrollment } from '../api-types.ts';
import { EmptyState } from '../components/EmptyState.tsx';
import { ListCard } from '../components/ListCard.tsx';
import { RefreshButton } from '../components/RefreshButton.tsx';
import { PageHead } from '../components/PageHead.tsx';
import { RowAction } from '../components/RowAction.tsx';
import { type Column, Table } from '../components/Table.tsx';
import { type Decision, useStableRows } from '../components/useStableRows.ts';
import { shortDayText, type Zone } from '../dates.ts';
import { moneyText } from '../money.ts';
import { officePaths } from '../officePaths.ts';
import { paths } from '../paths.ts';
import { useSchool } from '../school/queries.ts';
import { ChargeAll } from './ChargeAll.tsx';
import { ChargeDialog } from './ChargeDialog.tsx';
import { unpricedKey, unpricedQuery } from './queries.ts';

const titleId = 'unpriced-enrollments';
const chargeId = (id: number) => `charge-${id}`;

export const prefetch: Prefetch = (client) => [client.prefetchQuery(unpricedQuery)];

export function ChargesPage() {
  const { query, decisions, decidedCount, decide, showNext } = useStableRows({
    options: unpricedQuery,
    listKey: unpricedKey,
    staleKeys: [['dashboard']],
    titleId,
    buttonId: chargeId,
  });
  const { timeZone } = useSchool();
  const mayCharge = useUser().duties.includes('money');
  const [charging, setCharging] = useState<UnpricedEnrollment | null>(null);

  function finish(id: number, decision: Decision) {
    // The dialog first returns the focus to its button, then it moves on.
    flushSync(() => setCharging(null));
    decide(id, decision, true);
  }

  const columns = [...facts(timeZone), mayCharge ? action(decisions, setCharging) : state];
  return (
    <>
      <PageHead
        eyebrow="Today"
        title="Unpriced Enrollments"
        actions={
          <>
            <Link className="button button-outline" to={paths.adminDashboard}>Back to Dashboard</Link>
            {mayCharge && <ChargeAll rows={(query.data?.rows ?? []).filter(({ id }) => !(id in decisions))} onCharged={(id, decision) => decide(id, decision, false)} />}
          </>
        }
      >
        {!mayCharge && <p>An administrator or the bursar posts these charges.</p>}
      </PageHead>
      <ListCard
        titleId={titleId}
        title="Unpriced"
        countText={(total) => leftWords(total - decidedCount)}
        query={query}
        loading="Loading enrollments..."
        failed="Failed to load the unpriced enrollments. Please try again later."
        empty={
          <EmptyState icon="check" title="No unpriced enrollments">
            <p>Enrollments approved without a price are listed here until they are charged.</p>
          </EmptyState>
        }
      >
        {(rows) => (
          <>
            <Table labelledBy={titleId} columns={columns} rows={rows} name={({ student_name, course_code }) => `${student_name}, ${course_code}`} isDone={({ id }) => id in decisions} />
            <RefreshButton titleId={titleId} label={rows.length > decidedCount ? 'Show what remains' : 'Clear the list'} decidedCount={decidedCount} onShow={showNext} />
          </>
        )}
      </ListCard>
      {charging && (
        <ChargeDialog
          enrollment={charging}
          onCharged={(decision) => finish(charging.id, decision)}
          onClose={() => setCharging(null)}
        />
      )}
    </>
  );
}

const leftWords = (left: number) => (left === 0 ? 'None left' : left === 1 ? '1 enrollment' : `${left} enrollments`);

const facts = (timeZone: Zone): Column<UnpricedEnrollment>[] => [
  {
    label: 'Student',
    place: 'lead',
    id: (row) => `student-${row.id}`,
    cell: (row) => <strong dir="auto" title={row.student_email}>{row.student_name}</strong>,
    folded: (row) => row.course_code,
  },
  {
    label: 'Course',
    place: 'side',
    from: 'tablet',
    id: (row) => `course-${row.id}`,
    cell: (row) => <><span>{`${row.course_code} · `}</span><small><bdi>{row.course_name}</bdi></small></>,
  },
  { label: 'Email', place: 'rest', from: 'desk', cell: (row) => <bdi>{row.student_email}</bdi> },
  { label: 'Approved', from: 'tablet', cell: (row) => shortDayText(row.approved_at, timeZone, 'Unknown date') },
  { label: 'Price Today', isNumber: true, from: 'tablet', cell: (row) => moneyText(row.current_fee, 'Not set') },
];

/** For read-only roles. */
const state: Column<UnpricedEnrollment> = { label: 'Status', cell: () => <span className="badge tone-yellow">unpriced</span> };

const action = (
  decisions: Readonly<Record<number, Decision>>,
  onCharge: (row: UnpricedEnrollment) => void,
): Column<UnpricedEnrollment> => ({
  label: 'Action',
  place: 'action',
  cell: (row) => {
    const decision = decisions[row.id];
    if (!decision) return <RowAction id={chargeId(row.id)} label="Post Charge" describedBy={`student-${row.id} course-${row.id}`} decision={undefined} onPress={() => onCharge(row)} />;
    // The email has left: a charge is reversed in the student's ledger, with a reason.
    return (
      <span className="row-action row-action-wide">
        <span>
          <strong>{decision.status}</strong>
          <br />
          {decision.words ? <small>{decision.words}</small> : <Link className="nowrap" to={officePaths.studentMoney(row.student_id)} aria-describedby={`student-${row.id}`}>Undo in Money tab</Link>}
        </span>
      </span>
    );
  },
});
