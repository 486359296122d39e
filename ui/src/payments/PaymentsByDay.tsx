// Payments by the day on which they came, with the day's totals by method; those brought to the bank are marked.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { useUser } from '../accounts/signedIn.ts';
import { failureWords } from '../api.ts';
import type { DayTotal, Payment, PaymentMethod } from '../api-types.ts';
import { optionsOf } from '../closedSets.ts';
import { EmptyState } from '../components/EmptyState.tsx';
import { FilterSelect } from '../components/FilterSelect.tsx';
import { DownloadLink } from '../components/GuardedLinks.tsx';
import { ListCard } from '../components/ListCard.tsx';
import { SearchBox } from '../components/SearchBox.tsx';
import { type Column, Table } from '../components/Table.tsx';
import { showFailure, showToast } from '../components/toasts.ts';
import { useSelection } from '../components/useSelection.ts';
import { typing_pause_ms } from '../components/useUrlView.ts';
import { dateText } from '../dates.ts';
import { moneyText } from '../money.ts';
import { newKey } from '../once.ts';
import { officePaths } from '../officePaths.ts';
import { useSchool } from '../school/queries.ts';
import type { SectionProps } from './moneyView.ts';
import { markDeposited, moneyKey, paymentsQuery, totalsQuery } from './moneyQueries.ts';
import { methods, receiptPath, todayIn } from './words.ts';

const titleId = 'payments';

export function PaymentsByDay({ view, onView }: SectionProps) {
  const payments = useQuery(paymentsQuery(view.page, view.q, view.method));
  const rows = payments.data?.rows ?? [];
  const days = rows.map(({ receivedOn }) => receivedOn);
  const [from = '', to = ''] = [days.at(-1), days[0]];
  const totals = useQuery({ ...totalsQuery(from, to), enabled: from !== '' }).data ?? [];
  const mayWrite = useUser().duties.includes('money');
  const standing = rows.filter(({ voidedAt }) => voidedAt === null);
  const choice = useSelection(`${view.q} ${view.method}`, standing);
  return (
    <ListCard
      titleId={titleId}
      title="Payments"
      countText={(total) => (total === 1 ? '1 payment' : `${total} payments`)}
      tools={
        <>
          <SearchBox label="Name, payer, reference or receipt..." value={view.q} onChange={(q) => onView({ ...view, q, page: 1 }, typing_pause_ms)} />
          <FilterSelect label="Method" options={[{ value: '', label: 'All methods' }, ...optionsOf(methods)]} value={view.method} onChange={(method) => onView({ ...view, method, page: 1 })} />
          {choice.chosen.length > 0 && <Deposit ids={choice.chosen.map(({ id }) => id)} onDone={choice.clear} />}
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
          group={{ key: ({ receivedOn }) => receivedOn, heading: ([first]) => dayWords(first?.receivedOn ?? '', totals) }}
          name={({ receiptNumber }) => `receipt ${receiptNumber}`}
          isDone={({ voidedAt }) => voidedAt !== null}
          selection={mayWrite ? choice.selection : undefined}
        />
      )}
    </ListCard>
  );
}

/** "Nov 21, 2026 · $1,300.25: Cash $300.00, e-Transfer $1,000.25", or "Nov 21, 2026 · Cash $300.00". */
function dayWords(day: string, totals: readonly DayTotal[]): string {
  const total = totals.find((one) => one.day === day);
  const parts = Object.entries(total?.methods ?? {}).map(([method, amount]) => `${methods[method as PaymentMethod]} ${moneyText(amount, '')}`);
  const sum = total && parts.length > 1 ? `${moneyText(total.total, '')}: ` : '';
  return [dateText(day, ''), sum + parts.join(', ')].filter(Boolean).join(' · ');
}

/** Marks the chosen payments as brought to the bank, on a day. */
function Deposit({ ids, onDone }: { ids: number[]; onDone: () => void }) {
  const client = useQueryClient();
  const { timeZone } = useSchool();
  const [on, setOn] = useState(todayIn(timeZone));
  const marking = useMutation(markDeposited);

  async function mark() {
    try {
      const { results } = await marking.mutateAsync({ key: newKey(), ids, on });
      const done = results.filter(({ ok }) => ok).length;
      showToast(`${done} marked as deposited`, results.find(({ ok }) => !ok)?.message ?? null);
      onDone();
    } catch (error) {
      showFailure('They could not be marked', failureWords(error, 'Please try again.'));
    }
    void client.invalidateQueries({ queryKey: moneyKey });
  }

  return (
    <>
      <input type="date" className="filter-select" aria-label="Deposited on" value={on} max={todayIn(timeZone)} onChange={(event) => setOn(event.target.value)} />
      <button type="button" className="button button-primary" aria-disabled={marking.isPending} onClick={() => !marking.isPending && void mark()}>{`Mark Deposited (${ids.length})`}</button>
    </>
  );
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
