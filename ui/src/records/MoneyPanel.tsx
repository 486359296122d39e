// A student's money: what each course comes to, what was paid with receipts, and the ledger.
import { lazy, Suspense, useState } from 'react';
import { useUser } from '../accounts/signedIn.ts';
import type { ItemFees, Payment } from '../api-types.ts';
import { ActionMenu } from '../components/ActionMenu.tsx';
import { EmptyState } from '../components/EmptyState.tsx';
import { loadPart } from '../components/loadPart.ts';
import { Spinner } from '../components/Spinner.tsx';
import { type Column, Table } from '../components/Table.tsx';
import { useAction } from '../components/useAction.ts';
import { dateText } from '../dates.ts';
import { moneyText } from '../money.ts';
import type { EntryDialog, Wish } from '../payments/EntryDialog.tsx';
import type { ReversePaymentDialog } from '../payments/ReversePaymentDialog.tsx';
import { methods, receiptPath } from '../payments/words.ts';
import type { PanelProps } from './tabs.ts';
import { nameOf } from './words.ts';
import '../components/ListCard.css';

/** Most visits to a student's page are about something else. */
const LedgerCard = lazy(async () => ({ default: (await loadPart(() => import('../payments/LedgerCard.tsx'))).LedgerCard }));

type Reversing = { payment: Payment; Dialog: typeof ReversePaymentDialog };

export function MoneyPanel({ file: { student, money } }: PanelProps) {
  const mayReverse = useUser().duties.includes('money');
  const [reversing, setReversing] = useState<Reversing | null>(null);
  const opening = useAction<Reversing, Payment>({
    mutationFn: async (payment) => ({ payment, Dialog: (await loadPart(() => import('../payments/ReversePaymentDialog.tsx'))).ReversePaymentDialog }),
    onSuccess: setReversing,
  });
  const [wish, setWish] = useState<{ wish: Wish; Dialog: typeof EntryDialog } | null>(null);
  const wishing = useAction<{ wish: Wish; Dialog: typeof EntryDialog }, Wish>({
    mutationFn: async (wish) => ({ wish, Dialog: (await loadPart(() => import('../payments/EntryDialog.tsx'))).EntryDialog }),
    onSuccess: setWish,
  });
  if (!money) return null;
  const { perItem, payments, unapplied } = money;
  if (perItem.length === 0 && payments.length === 0) {
    return <EmptyState icon="dollar" title="No charges yet"><p>The fee of a course is charged when it is approved.</p></EmptyState>;
  }
  const items = perItem.map((item) => Object.assign({ id: item.enrollmentId ?? -(item.admissionId ?? 0) }, item));
  return (
    <div className="stack file-cards">
      <section className="card list-card" aria-labelledby="money-due">
        <header className="list-head">
          <h2 id="money-due">Fees</h2>
          <p className="muted">{unapplied > 0 ? `${moneyText(unapplied, '')} is on account: paid, and not for anything yet.` : 'What each course comes to.'}</p>
        </header>
        <Table labelledBy="money-due" columns={mayReverse ? [...dueColumns, itemColumn((wish) => wishing.run(wish))] : dueColumns} rows={items} name={(item) => item.for} isDone={({ due }) => due === 0} />
      </section>
      {payments.length > 0 && (
        <section className="card list-card" aria-labelledby="money-paid">
          <header className="list-head">
            <h2 id="money-paid">Payments</h2>
            <p className="muted">A mistake is reversed, and stays in this list.</p>
          </header>
          <Table
            labelledBy="money-paid"
            columns={mayReverse ? [...paymentColumns, reverseColumn((payment) => opening.run(payment))] : paymentColumns}
            rows={payments}
            name={({ receiptNumber }) => `receipt ${receiptNumber}`}
            isDone={({ voidedAt }) => voidedAt !== null}
          />
        </section>
      )}
      <Suspense fallback={<Spinner label="Loading the ledger..." />}>
        <LedgerCard studentId={student.id} due={perItem.reduce((sum, { due }) => sum + due, 0)} payments={payments} mayWrite={mayReverse} onWish={(wish) => wishing.run(wish)} />
      </Suspense>
      {wish && <wish.Dialog student={{ id: student.id, name: nameOf(student) }} wish={wish.wish} onClose={() => setWish(null)} />}
      {reversing && <reversing.Dialog payment={reversing.payment} onClose={() => setReversing(null)} />}
    </div>
  );
}

const dueColumns: Column<ItemFees & { id: number }>[] = [
  { label: 'For', cell: (item) => <span dir="auto">{item.for}</span>, place: 'lead' },
  { label: 'Quoted', cell: ({ quoted }) => moneyText(quoted, '–'), isNumber: true, from: 'desk' },
  { label: 'Charged', cell: ({ charged, waived }) => <><span>{moneyText(charged, '')}</span>{waived > 0 && <small>{` − ${moneyText(waived, '')} waived`}</small>}</>, isNumber: true, from: 'tablet' },
  { label: 'Paid', cell: ({ paid, refunded }) => <><span>{moneyText(paid, '')}</span>{refunded > 0 && <small>{` − ${moneyText(refunded, '')} back`}</small>}</>, isNumber: true, from: 'tablet' },
  { label: 'Due', cell: ({ due, credit }) => (credit > 0 ? `${moneyText(credit, '')} over` : moneyText(due, '')), isNumber: true },
  { label: 'Due date', cell: ({ due, dueOn, instalments }) => (due > 0 ? `${dateText(dueOn, '–')}${instalments.length > 0 ? ` (${instalments.length} parts)` : ''}` : '–'), from: 'tablet' },
];

const itemColumn = (onWish: (wish: Wish) => void): Column<ItemFees & { id: number }> => ({
  label: 'Action',
  place: 'action',
  cell: (item) => (
    <ActionMenu
      isCompact
      label={`Charge, waive or refund ${item.for}`}
      items={[
        { label: 'Charge…', onPress: () => onWish({ what: 'charge', item }) },
        ...(item.charged > item.waived ? [{ label: 'Waive…', onPress: () => onWish({ what: 'waive', item }) }] : []),
        ...(item.paid > item.refunded ? [{ label: 'Refund…', onPress: () => onWish({ what: 'refund', item }) }] : []),
        ...(item.enrollmentId !== null && item.charged > item.waived ? [{ label: 'Instalments…', onPress: () => onWish({ what: 'plan', item }) }] : []),
      ]}
    />
  ),
});

const paymentColumns: Column<Payment>[] = [
  { label: 'Received', cell: ({ receivedOn }) => dateText(receivedOn, ''), place: 'lead' },
  { label: 'Amount', cell: ({ amount }) => moneyText(amount, ''), isNumber: true },
  { label: 'Method', cell: ({ method, reference }) => <span dir="auto">{[methods[method], reference].filter(Boolean).join(' · ')}</span>, place: 'side', from: 'tablet' },
  { label: 'Paid by', cell: ({ payerName }) => <span dir="auto">{payerName ?? '–'}</span>, place: 'rest', from: 'desk' },
  {
    label: 'Receipt',
    cell: ({ receiptNumber, voidedAt }) => (
      <><a href={receiptPath(receiptNumber, 'admin')} target="_blank" rel="noopener">{receiptNumber}</a>{voidedAt && <> <span className="badge tone-red">void</span></>}</>
    ),
  },
];

const reverseColumn = (onReverse: (payment: Payment) => void): Column<Payment> => ({
  label: 'Action',
  place: 'action',
  from: 'tablet',
  cell: (payment) => payment.voidedAt === null && (
    <button type="button" className="button button-quiet" aria-label={`Reverse receipt ${payment.receiptNumber}`} onClick={() => onReverse(payment)}>Reverse</button>
  ),
});
