// Who owes what, and since when.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { flushSync } from 'react-dom';
import { Link } from 'react-router';
import { useUser } from '../../accounts/signedIn.ts';
import { failureWords, getJson } from '../../api.ts';
import type { BalanceRow } from '../../api-types.ts';
import { ActionMenu } from '../../components/ActionMenu.tsx';
import { EmptyState } from '../../components/EmptyState.tsx';
import { FilterSelect } from '../../components/FilterSelect.tsx';
import { Icon } from '../../components/Icon.tsx';
import { DownloadLink } from '../../components/GuardedLinks.tsx';
import { ListCard } from '../../components/ListCard.tsx';
import { SearchBox } from '../../components/SearchBox.tsx';
import { type Column, Table } from '../../components/Table.tsx';
import { showFailure } from '../../components/toasts.ts';
import { useAction } from '../../components/useAction.ts';
import { useDialogPart } from '../../components/useDialogPart.ts';
import { useSelection } from '../../components/useSelection.ts';
import { typing_pause_ms } from '../../components/useUrlView.ts';
import { dateText } from '../../dates.ts';
import { moneyText } from '../../money.ts';
import { at } from '../../pages.ts';
import { officePaths } from '../../officePaths.ts';
import { useSchool } from '../../school/queries.ts';
import { AgingBar } from './AgingBar.tsx';
import { type SectionProps, writeMoneyView } from '../moneyView.ts';
import { balancesParameters, balancesQuery } from '../moneyQueries.ts';
import { useApplyMoney } from '../charges/useApplyMoney.tsx';
import { studentCount, todayIn } from '../words.ts';

const titleId = 'balances';

type Row = BalanceRow & { id: number };

const filters = [
  { value: '', label: 'All students' },
  { value: 'due', label: 'Something due' },
  { value: 'overdue', label: 'Overdue' },
  { value: 'credit', label: 'Credit' },
  { value: 'unapplied', label: 'Money on account' },
  { value: 'free', label: 'Money to apply or refund' },
  { value: 'admission', label: 'Admission fee due' },
];

export function Balances({ view, onView, summary }: SectionProps) {
  const balances = useQuery(balancesQuery(view));
  const { duties } = useUser();
  const today = todayIn(useSchool().timeZone);
  /** Payments and reminders are of today. */
  const mayAct = duties.includes('money') && (!view.asOf || view.asOf === today);
  const dialog = useDialogPart(() => import('../payments/PayerDialog.tsx'));
  const reminding = useDialogPart(() => import('./RemindDialog.tsx'));
  const choice = useSelection(`${view.filter} ${view.q} ${view.asOf}`, rowsOf(balances.data?.rows ?? []));
  const ids = choice.chosen.map(({ id }) => id);
  const [payer, setPayer] = useState({ id: 0, name: '' });
  const holdOf = (row: Row) => {
    setHeld(row);
    holding.open();
  };
  const record = ({ id, studentName: name }: Row) => {
    setPayer({ id, name });
    dialog.open();
  };
  const applying = useApplyMoney();
  const holding = useDialogPart(() => import('../charges/HoldDialog.tsx'));
  const [held, setHeld] = useState<Row | null>(null);
  const hasMoney = view.filter === 'unapplied' || view.filter === 'free';
  // More was paid than charged for an item: rare, and a filter of its own.
  const shown = view.filter === 'credit' ? columns : columns.filter(({ label }) => label !== 'Credit');
  /** Every row of the list while it is printed, not one page of it. */
  const [paper, setPaper] = useState<BalanceRow[] | null>(null);
  const printing = useAction({
    mutationFn: () => getJson(`/api/admin/money/balances?${balancesParameters(view, 'all')}`),
    onSuccess: (all: BalanceRow[]) => {
      flushSync(() => setPaper(all));
      window.print();
      setPaper(null);
    },
    onError: (error) => showFailure('The list could not be printed', failureWords(error, 'Please try again.')),
  });
  return (
    <>
      <AgingBar summary={summary} to={`${at('/admin/money')}?${new URLSearchParams(writeMoneyView({ ...view, filter: 'admission', q: '', page: 1 }))}`} />
      {applying.notice}
      <ListCard
        titleId={titleId}
        title="Balances"
        countText={(total) => `${studentCount(total)}, as of ${dateText(view.asOf || today, '')}`}
        tools={
          <>
            <label className="as-of screen-only"><span>As of</span> <input type="date" className="filter-select" value={view.asOf || today} onChange={(event) => onView({ ...view, asOf: event.target.value, page: 1 })} /></label>
            <SearchBox label="Search students..." value={view.q} onChange={(q) => onView({ ...view, q, page: 1 }, typing_pause_ms)} />
            <FilterSelect label="Show" options={filters} value={view.filter} onChange={(filter) => onView({ ...view, filter, page: 1 })} />
            <button type="button" className="button button-outline" aria-disabled={printing.isPending} onClick={() => printing.run()}>Print</button>
            {mayAct && hasMoney && ids.length > 0 && <button type="button" className="button button-primary" aria-disabled={applying.isPending} onClick={() => applying.run(ids)}>{`Apply Selected (${ids.length})`}</button>}
            {mayAct && !hasMoney && ids.length > 0 && <button type="button" className="button button-primary" onClick={reminding.open}>{`Remind Selected (${ids.length})`}</button>}
            {duties.includes('money') && <DownloadLink className="button button-outline" href={`/api/admin/money/balances?${balancesParameters(view, 'csv')}`}>CSV</DownloadLink>}
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
            columns={mayAct ? [...shown, action({ record, apply: ({ id }) => applying.run([id]), hold: holdOf })] : shown}
            rows={rowsOf(paper ?? found)}
            name={({ studentName }) => studentName}
            selection={mayAct ? choice.selection : undefined}
            sort={{ current: view.sort || 'name', onSort: (by) => onView({ ...view, sort: view.sort === `-${by}` ? by : `-${by}`, page: 1 }) }}
          />
        )}
      </ListCard>
      {reminding.part && (
        <reminding.part.RemindDialog
          ids={ids}
          onClose={reminding.close}
          onDone={() => {
            reminding.close();
            choice.clear();
          }}
        />
      )}
      {dialog.part && <dialog.part.PayerDialog payer={payer} onClose={dialog.close} />}
      {holding.part && held && <holding.part.HoldDialog student={{ id: held.id, name: held.studentName }} unapplied={held.unapplied} onClose={holding.close} />}
    </>
  );
}

const money = (label: string, amount: (row: Row) => number, more: Partial<Column<Row>> = {}): Column<Row> => ({
  label, isNumber: true, cell: (row) => (amount(row) > 0 ? moneyText(amount(row), '') : '–'), ...more,
});

const columns: Column<Row>[] = [
  {
    label: 'Student',
    sort: 'name',
    place: 'lead',
    cell: ({ id, studentName, email }) => <Link to={officePaths.studentMoney(id)} title={email}><strong><bdi>{studentName}</bdi></strong></Link>,
  },
  money('Courses', ({ due }) => due, { from: 'desk' }),
  money('Admission', ({ admissionDue }) => admissionDue, { from: 'desk' }),
  money('Total due', ({ totalDue }) => totalDue, { sort: 'due' }),
  money('1–30', ({ aging }) => aging.days1to30, { from: 'desk' }),
  money('31–60', ({ aging }) => aging.days31to60, { from: 'desk' }),
  money('61+', ({ aging }) => aging.days61plus, { from: 'desk' }),
  money('Credit', ({ credit }) => credit, { from: 'tablet' }),
  { label: 'On account', isNumber: true, from: 'tablet', cell: ({ unapplied, hold }) => (unapplied > 0 ? <><span>{moneyText(unapplied, '')}</span>{hold && <small title={hold.heldFor}>{` set aside until ${dateText(hold.until, '')}`}</small>}</> : '–') },
  { label: 'Overdue since', sort: 'since', from: 'tablet', cell: ({ overdueSince }) => dateText(overdueSince, '–') },
  { label: 'Last payment', from: 'desk', cell: ({ lastPaymentOn }) => dateText(lastPaymentOn, '–') },
  { label: 'Reminded', from: 'desk', cell: ({ lastReminderOn }) => dateText(lastReminderOn, '–') },
];

type Acts = Record<'record' | 'apply' | 'hold', (row: Row) => void>;

const action = ({ record, apply, hold }: Acts): Column<Row> => ({
  label: 'Action',
  place: 'action',
  from: 'tablet',
  cell: (row) => (row.unapplied > 0
    ? (
      <ActionMenu
        isCompact
        label={`Money of ${row.studentName}`}
        items={[
          { label: 'Record Payment…', onPress: () => record(row) },
          { label: 'Apply to What Is Due', why: row.totalDue === 0 && 'Nothing is due.', onPress: () => apply(row) },
          { label: 'Set Aside…', onPress: () => hold(row) },
        ]}
      />
    )
    : <button type="button" className="icon-button" title="Record Payment…" aria-label={`Record a payment of ${row.studentName}`} onClick={() => record(row)}><Icon name="dollar" /></button>),
});

const rowsOf = (found: readonly BalanceRow[]) => found.map((row): Row => Object.assign({ id: row.studentId }, row));
