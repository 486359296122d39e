// Who owes what, and since when.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { useUser } from '../accounts/signedIn.ts';
import type { BalanceRow } from '../api-types.ts';
import { EmptyState } from '../components/EmptyState.tsx';
import { FilterSelect } from '../components/FilterSelect.tsx';
import { DownloadLink } from '../components/GuardedLinks.tsx';
import { ListCard } from '../components/ListCard.tsx';
import { SearchBox } from '../components/SearchBox.tsx';
import { type Column, Table } from '../components/Table.tsx';
import { loadPart } from '../components/loadPart.ts';
import { typing_pause_ms } from '../components/useUrlView.ts';
import { useAction } from '../components/useAction.ts';
import { dateText } from '../dates.ts';
import { moneyText } from '../money.ts';
import { paths } from '../paths.ts';
import type { SectionProps } from './moneyView.ts';
import { balancesParameters, balancesQuery } from './moneyQueries.ts';
import type { RecordPaymentDialog } from './RecordPaymentDialog.tsx';
import { getJson } from '../api.ts';

const titleId = 'balances';

type Row = BalanceRow & { id: number };
type Recording = { student: { id: number; name: string }; items: Parameters<typeof RecordPaymentDialog>[0]['items']; Dialog: typeof RecordPaymentDialog };

const filters = [
  { value: '', label: 'All students' },
  { value: 'due', label: 'Something due' },
  { value: 'overdue', label: 'Overdue' },
  { value: 'credit', label: 'Credit' },
  { value: 'unapplied', label: 'Money on account' },
];

export function Balances({ view, onView, summary }: SectionProps) {
  const aging = summary?.aging;
  const balances = useQuery(balancesQuery(view));
  const mayWrite = useUser().duties.includes('money');
  const [recording, setRecording] = useState<Recording | null>(null);
  const opening = useAction<Recording, Row>({
    mutationFn: async ({ id, studentName }) => {
      const [{ RecordPaymentDialog }, { perItem }] = await Promise.all([
        loadPart(() => import('./RecordPaymentDialog.tsx')),
        getJson(`/api/admin/students/${id}/ledger`),
      ]);
      return { student: { id, name: studentName }, items: perItem, Dialog: RecordPaymentDialog };
    },
    onSuccess: setRecording,
  });
  const rows = (found: BalanceRow[]) => found.map((row): Row => Object.assign({ id: row.studentId }, row));
  return (
    <>
      <ListCard
        titleId={titleId}
        title="Balances"
        countText={(total) => [total === 1 ? '1 student' : `${total} students`, aging && agingText(aging)].filter(Boolean).join('. ')}
        tools={
          <>
            <SearchBox label="Search students..." value={view.q} onChange={(q) => onView({ ...view, q, page: 1 }, typing_pause_ms)} />
            <FilterSelect label="Show" options={filters} value={view.filter} onChange={(filter) => onView({ ...view, filter, page: 1 })} />
            <input type="date" className="filter-select" aria-label="As of" value={view.asOf} onChange={(event) => onView({ ...view, asOf: event.target.value, page: 1 })} />
            {mayWrite && <DownloadLink className="button button-outline" href={`/api/admin/money/balances?${balancesParameters(view, 'csv')}`}>CSV</DownloadLink>}
          </>
        }
        query={balances}
        page={view.page}
        onTurn={(page) => onView({ ...view, page })}
        loading="Loading balances..."
        failed="Failed to load the balances. Please try again later."
        empty={<EmptyState icon="check" title="No students here"><p>{view.filter || view.q ? 'No balance matches.' : 'A student who is charged, or pays, is listed here.'}</p></EmptyState>}
      >
        {(found) => (
          <Table
            labelledBy={titleId}
            columns={mayWrite ? [...columns, action((row) => opening.run(row))] : columns}
            rows={rows(found)}
            name={({ studentName }) => studentName}
            sort={{ current: view.sort || 'name', onSort: (by) => onView({ ...view, sort: view.sort === `-${by}` ? by : `-${by}`, page: 1 }) }}
          />
        )}
      </ListCard>
      {recording && <recording.Dialog student={recording.student} items={recording.items} onClose={() => setRecording(null)} />}
    </>
  );
}

/** "$100.00 not yet due, $50.00 late by up to 30 days": what is not zero. */
function agingText({ notYetDue, days1to30, days31to60, days61plus }: BalanceRow['aging']): string {
  const parts: [number, string][] = [[notYetDue, 'not yet due'], [days1to30, '1–30 days late'], [days31to60, '31–60 days late'], [days61plus, '61 days late and more']];
  return parts.filter(([amount]) => amount > 0).map(([amount, words]) => `${moneyText(amount, '')} ${words}`).join(', ');
}

const money = (label: string, amount: (row: Row) => number, more: Partial<Column<Row>> = {}): Column<Row> => ({
  label, isNumber: true, cell: (row) => (amount(row) > 0 ? moneyText(amount(row), '') : '–'), ...more,
});

const columns: Column<Row>[] = [
  {
    label: 'Student',
    sort: 'name',
    place: 'lead',
    cell: ({ id, studentName, email }) => <Link to={paths.adminStudentMoney(id)} title={email}><strong><bdi>{studentName}</bdi></strong></Link>,
  },
  money('Due', ({ due }) => due, { sort: 'due' }),
  money('Not due yet', ({ aging }) => aging.notYetDue, { from: 'desk' }),
  money('1–30', ({ aging }) => aging.days1to30, { from: 'desk' }),
  money('31–60', ({ aging }) => aging.days31to60, { from: 'desk' }),
  money('61+', ({ aging }) => aging.days61plus, { from: 'desk' }),
  money('Credit', ({ credit, unapplied }) => credit + unapplied, { from: 'tablet' }),
  { label: 'Overdue since', sort: 'since', from: 'tablet', cell: ({ overdueSince }) => dateText(overdueSince, '–') },
  { label: 'Last payment', from: 'desk', cell: ({ lastPaymentOn }) => dateText(lastPaymentOn, '–') },
];

const action = (onRecord: (row: Row) => void): Column<Row> => ({
  label: 'Action',
  place: 'action',
  from: 'tablet',
  cell: (row) => <button type="button" className="button button-quiet" aria-label={`Record a payment of ${row.studentName}`} onClick={() => onRecord(row)}>Record Payment</button>,
});
