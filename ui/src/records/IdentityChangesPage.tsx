// Identity Changes: students whose name, birth date or Canadian status changed after a check or an approval, or whose
// guardian changed after a confirmation, until the office confirms it.
import { useState } from 'react';
import { flushSync } from 'react-dom';
import { Link } from 'react-router';
import type { Prefetch } from '../accounts/guards.ts';
import type { IdentityChange } from '../api-types.ts';
import { EmailAddress } from '../components/EmailAddress.tsx';
import { EmptyState } from '../components/EmptyState.tsx';
import { ListCard } from '../components/ListCard.tsx';
import { RefreshButton } from '../components/RefreshButton.tsx';
import { PageHead } from '../components/PageHead.tsx';
import { RowAction } from '../components/RowAction.tsx';
import { type Column, Table } from '../components/Table.tsx';
import { type Decision, useStableRows } from '../components/useStableRows.ts';
import { dayText } from '../dates.ts';
import { officePaths } from '../officePaths.ts';
import { paths } from '../paths.ts';
import { useSchool } from '../school/queries.ts';
import { ConfirmIdentityDialog } from './ConfirmIdentityDialog.tsx';
import { GuardianDialog } from './GuardianDialog.tsx';
import { identityChangesKey, identityChangesQuery, nameOf, netChanges } from './identityChange.ts';
import { IdentityFields } from './IdentityFields.tsx';

const titleId = 'identity-changes';
const confirmId = (id: number) => `confirm-${id}`;

export const prefetch: Prefetch = (client) => [client.prefetchQuery(identityChangesQuery)];

export function IdentityChangesPage() {
  const { query, decisions, decidedCount, decide, showNext } = useStableRows({
    options: identityChangesQuery,
    listKey: identityChangesKey,
    staleKeys: [['dashboard']],
    titleId,
    buttonId: confirmId,
  });
  const [confirming, setConfirming] = useState<IdentityChange | null>(null);

  function finish(id: number, decision: Decision) {
    // The dialog first returns the focus to its button, then it moves on.
    flushSync(() => setConfirming(null));
    decide(id, decision, true);
  }

  return (
    <>
      <PageHead
        eyebrow="Today"
        title="Identity Changes"
        actions={<Link className="button button-outline" to={paths.adminDashboard}>Back to Dashboard</Link>}
      />
      <ListCard
        titleId={titleId}
        title="Changed Details"
        countText={(total) => (total - decidedCount === 1 ? '1 student' : `${total - decidedCount} students`)}
        query={query}
        loading="Loading changes..."
        failed="Failed to load the identity changes. Please try again later."
        empty={
          <EmptyState icon="check" title="Nothing to confirm">
            <p>Students appear here when they change their name, date of birth or Canadian status after the office checked or approved them, or when their parent or guardian changes after confirming.</p>
          </EmptyState>
        }
      >
        {(rows) => (
          <>
            <Table
              labelledBy={titleId}
              columns={columnsFor(decisions, setConfirming)}
              rows={rows}
              name={nameOf}
              detail={detail}
              isDone={({ id }) => id in decisions}
            />
            <RefreshButton titleId={titleId} label="Show what remains" decidedCount={decidedCount} onShow={showNext} />
          </>
        )}
      </ListCard>
      {confirming && !confirming.isIdentityChanged && (
        <GuardianDialog
          student={{ id: confirming.id, guardianConfirmed: null }}
          isReplaced
          onSaved={(how) => finish(confirming.id, how ? { status: 'Confirmed', words: null } : { status: 'Seen', words: 'Not confirmed yet' })}
          onClose={() => setConfirming(null)}
        />
      )}
      {confirming?.isIdentityChanged && (
        <ConfirmIdentityDialog
          student={confirming}
          onConfirmed={(decision) => finish(confirming.id, decision)}
          onClose={() => setConfirming(null)}
        />
      )}
    </>
  );
}

function columnsFor(
  decisions: Readonly<Record<number, Decision>>,
  onConfirm: (student: IdentityChange) => void,
): Column<IdentityChange>[] {
  return [
    {
      label: 'Student',
      place: 'lead',
      id: (row) => `student-${row.id}`,
      cell: (row) => <Link to={officePaths.student(row.id)} title={row.email}><strong dir="auto">{nameOf(row)}</strong></Link>,
      folded: ({ changes }) => netChanges(changes).map(({ label }) => label).join(', '),
    },
    { label: 'What Changed', place: 'lead', from: 'tablet', cell: (row) => <IdentityFields student={row} /> },
    {
      label: 'Action',
      place: 'action',
      cell: (row) => (
        <RowAction
          id={confirmId(row.id)}
          label={row.isIdentityChanged ? 'Confirm' : 'Guardian'}
          describedBy={`student-${row.id}`}
          decision={decisions[row.id]}
          onPress={() => onConfirm(row)}
        />
      ),
    },
  ];
}

const detail = (row: IdentityChange) => <Detail row={row} />;

function Detail({ row: { email, checkedAt } }: { row: IdentityChange }) {
  const { timeZone } = useSchool();
  return (
    <dl className="pairs">
      <div><dt>Email</dt><dd><EmailAddress address={email} /></dd></div>
      <div><dt>Checked</dt><dd>{checkedAt ? `Compared with a document ${dayText(checkedAt, timeZone, '')}` : 'Never compared with a document'}</dd></div>
    </dl>
  );
}
