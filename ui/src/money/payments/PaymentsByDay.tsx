// Payments by the day on which they came, with the day's totals by method; those brought to the bank are marked.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { useUser } from '../../accounts/signedIn.ts';
import { failureWords } from '../../api.ts';
import type { DayTotal, Payment, PaymentMethod } from '../../api-types.ts';
import { optionsOf } from '../../closedSets.ts';
import { EmptyState } from '../../components/EmptyState.tsx';
import { FilterSelect } from '../../components/FilterSelect.tsx';
import { DownloadLink } from '../../components/GuardedLinks.tsx';
import { ListCard } from '../../components/ListCard.tsx';
import { SearchBox } from '../../components/SearchBox.tsx';
import { type Column, Table } from '../../components/Table.tsx';
import { showFailure, showToast } from '../../components/toasts.ts';
import { useAction } from '../../components/useAction.ts';
import { useSelection } from '../../components/useSelection.ts';
import { typing_pause_ms } from '../../components/useUrlView.ts';
import { dateText } from '../../dates.ts';
import { moneyText } from '../../money.ts';
import { newKey } from '../../once.ts';
import { officePaths } from '../../officePaths.ts';
import { useSchool } from '../../school/queries.ts';
import type { MoneyView, SectionProps } from '../moneyView.ts';
import { markDeposited, moneyKey, paymentsQuery, totalsQuery } from '../moneyQueries.ts';
import { methods, receiptPath, todayIn } from '../words.ts';
import '../../components/Bulk.css';

const titleId = 'payments';

export function PaymentsByDay({ view, onView }: SectionProps) {
  const payments = useQuery(paymentsQuery(view.page, view.q, view.method));
  const rows = payments.data?.rows ?? [];
  const days = rows.map(({ receivedOn }) => receivedOn);
  const [from = '', to = ''] = [days.at(-1), days[0]];
  const totals = useQuery({ ...totalsQuery(from, to), enabled: from !== '' && view.q.trim() === '' }).data ?? [];
  const mayWrite = useUser().duties.includes('money');
  const standing = rows.filter(({ voidedAt }) => voidedAt === null);
  const choice = useSelection(`${view.q} ${view.method}`, standing);
  return (
    <>
      <ListCard
        titleId={titleId}
        title="Payments"
        countText={(total) => (total === 1 ? '1 payment' : `${total} payments`)}
        tools={
          <>
            <SearchBox label="Name, payer, reference or receipt..." value={view.q} onChange={(q) => onView({ ...view, q, page: 1 }, typing_pause_ms)} />
            <FilterSelect label="Method" options={[{ value: '', label: 'All methods' }, ...optionsOf(methods)]} value={view.method} onChange={(method) => onView({ ...view, method, page: 1 })} />
            {mayWrite && <DownloadLink className="button button-outline" href={`/api/admin/payments?${new URLSearchParams({ format: 'csv', q: view.q, method: view.method })}`}>CSV</DownloadLink>}
          </>
        }
        query={payments}
        page={view.page}
        onTurn={(page) => onView({ ...view, page })}
        loading="Loading payments..."
        failed="Failed to load the payments. Please try again later."
        empty={<EmptyState icon="dollar" title={view.q || view.method ? 'No payment matches' : 'No payments yet'}><p>{view.q || view.method ? 'Search by a name, a reference or a receipt’s number.' : 'Each payment is listed here by the day on which it was received.'}</p></EmptyState>}
      >
        {(found) => (
          <Table
            labelledBy={titleId}
            columns={columns}
            rows={found}
            group={{ key: ({ receivedOn }) => receivedOn, heading: (some) => dayWords(some, totals, view) }}
            name={({ receiptNumber }) => `receipt ${receiptNumber}`}
            isDone={({ voidedAt }) => voidedAt !== null}
            selection={mayWrite ? choice.selection : undefined}
          />
        )}
      </ListCard>
      {choice.chosen.length > 0 && <Deposit chosen={choice.chosen} onDone={choice.clear} />}
    </>
  );
}

const sum = (amounts: readonly number[]) => amounts.reduce((before, amount) => before + Math.round(amount * 100), 0) / 100;

/**
 * "Nov 21, 2026 · $1,300.25: Cash $300.00, e-Transfer $1,000.25", or "Nov 21, 2026 · Cash $300.00"; of a method alone if
 * the list is. "Whole day" if some of the day's payments are on another page. Without a sum in a search.
 */
function dayWords(rows: readonly Payment[], totals: readonly DayTotal[], { q, method: only }: MoneyView): string {
  const day = rows[0]?.receivedOn ?? '';
  const amounts = q.trim() ? [] : Object.entries(totals.find((one) => one.day === day)?.methods ?? {}).filter(([method]) => !only || method === only);
  if (amounts.length === 0) return dateText(day, '');
  const total = sum(amounts.map(([, amount]) => amount));
  const isWhole = total === sum(rows.filter(({ voidedAt }) => voidedAt === null).map(({ amount }) => amount));
  const parts = amounts.map(([method, amount]) => `${methods[method as PaymentMethod]} ${moneyText(amount, '')}`).join(', ');
  return `${dateText(day, '')} · ${isWhole ? '' : 'Whole day: '}${amounts.length > 1 ? `${moneyText(total, '')}: ` : ''}${parts}`;
}

/** Marks the chosen payments as brought to the bank on a day, without those that were already, or takes the mark away. */
function Deposit({ chosen, onDone }: { chosen: readonly Payment[]; onDone: () => void }) {
  const client = useQueryClient();
  const { timeZone } = useSchool();
  const [on, setOn] = useState(todayIn(timeZone));
  const fresh = chosen.filter(({ depositedOn }) => depositedOn === null);
  const marked = chosen.filter(({ depositedOn }) => depositedOn !== null);
  const marking = useAction({
    mutationFn: markDeposited,
    onSuccess: ({ results }, { on: day }) => {
      const done = results.filter(({ ok }) => ok).map(({ id }) => id);
      const refusal = results.find(({ ok }) => !ok)?.message;
      if (done.length === 0) {
        showFailure('Not marked', refusal ?? 'Please try again.');
        return;
      }
      if (day) showMarked({ ids: done, day, kept: marked.length, refusal, reload });
      else showToast(`${done.length} no longer marked as deposited`, refusal);
      onDone();
      reload();
    },
    onError: (error) => showFailure('They could not be marked', failureWords(error, 'Please try again.')),
  });
  const reload = () => void client.invalidateQueries({ queryKey: moneyKey });
  const mark = (payments: readonly Payment[], day: string | null) => marking.run({ key: newKey(), ids: payments.map(({ id }) => id), on: day });

  return (
    <div className="floats cluster bulk-bar" role="group" aria-label="Bulk actions">
      <p role="status"><strong>{`${chosen.length} selected`}</strong></p>
      {fresh.length > 0 && (
        <>
          <label className="as-of"><span>Deposited on</span> <input type="date" className="filter-select" value={on} max={todayIn(timeZone)} onChange={(event) => setOn(event.target.value)} /></label>
          <button type="button" className="button button-primary" aria-disabled={marking.isPending} onClick={() => mark(fresh, on)}>{`Mark Deposited (${fresh.length})`}</button>
        </>
      )}
      {marked.length > 0 && <button type="button" className="button button-outline" aria-disabled={marking.isPending} onClick={() => mark(marked, null)}>{`Remove Deposit Mark (${marked.length})`}</button>}
      <button type="button" className="button button-quiet" onClick={onDone}>Clear</button>
    </div>
  );
}

type Marked = { ids: number[]; day: string; kept: number; refusal: string | null | undefined; reload: () => void };

/** Says how many were marked, which were not, and offers to undo it. */
function showMarked({ ids, day, kept, refusal, reload }: Marked) {
  const undo = () => void markDeposited({ key: newKey(), ids, on: null }).then(
    () => showToast('Mark removed'),
    (error: unknown) => showFailure('The mark is still there', failureWords(error, 'Please try again.')),
  ).finally(reload);
  showToast(`${ids.length} marked as deposited on ${dateText(day, '')}`, (
    <>
      {refusal && <span>{`${refusal} `}</span>}
      {kept > 0 && <span>{kept === 1 ? '1 was marked before and keeps its day. ' : `${kept} were marked before and keep their day. `}</span>}
      <button type="button" className="button button-quiet" onClick={undo}>Undo</button>
    </>
  ));
}

const columns: Column<Payment>[] = [
  {
    label: 'Student',
    place: 'lead',
    cell: ({ studentId, studentName }) => (studentId === null ? <bdi>{studentName}</bdi> : <Link to={officePaths.studentMoney(studentId)}><strong><bdi>{studentName}</bdi></strong></Link>),
  },
  { label: 'Amount', isNumber: true, cell: ({ amount }) => moneyText(amount, '') },
  { label: 'Method', place: 'side', from: 'tablet', cell: ({ method, reference }) => <span dir="auto">{[methods[method], reference].filter(Boolean).join(' · ')}</span> },
  { label: 'On account', isNumber: true, from: 'desk', cell: ({ unapplied }) => (unapplied > 0 ? moneyText(unapplied, '') : '–') },
  {
    label: 'Receipt',
    from: 'tablet',
    cell: ({ receiptNumber, voidedAt }) => (
      <><a href={receiptPath(receiptNumber, 'admin')} target="_blank" rel="noopener">{receiptNumber}</a>{voidedAt && <> <span className="badge tone-red">void</span></>}</>
    ),
  },
  { label: 'Deposited', from: 'desk', cell: ({ depositedOn }) => dateText(depositedOn, '–') },
];
