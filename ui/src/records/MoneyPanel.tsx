// What a student owes for each course, and what was paid, with receipts.
import { useState } from 'react';
import { useUser } from '../accounts/signedIn.ts';
import type { ItemFees, Payment } from '../api-types.ts';
import { EmptyState } from '../components/EmptyState.tsx';
import { loadPart } from '../components/loadPart.ts';
import { type Column, Table } from '../components/Table.tsx';
import { useAction } from '../components/useAction.ts';
import { dateText } from '../dates.ts';
import { moneyText } from '../money.ts';
import type { ReversePaymentDialog } from '../payments/ReversePaymentDialog.tsx';
import { methods, receiptPath } from '../payments/words.ts';
import type { PanelProps } from './tabs.ts';
import '../components/ListCard.css';

type Reversing = { payment: Payment; Dialog: typeof ReversePaymentDialog };

export function MoneyPanel({ file: { money } }: PanelProps) {
  const mayReverse = useUser().duties.includes('money');
  const [reversing, setReversing] = useState<Reversing | null>(null);
  const opening = useAction<Reversing, Payment>({
    mutationFn: async (payment) => ({ payment, Dialog: (await loadPart(() => import('../payments/ReversePaymentDialog.tsx'))).ReversePaymentDialog }),
    onSuccess: setReversing,
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
        <Table labelledBy="money-due" columns={dueColumns} rows={items} name={(item) => item.for} isDone={({ due }) => due === 0} />
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
      {reversing && <reversing.Dialog payment={reversing.payment} onClose={() => setReversing(null)} />}
    </div>
  );
}

const dueColumns: Column<ItemFees & { id: number }>[] = [
  { label: 'For', cell: (item) => <span dir="auto">{item.for}</span>, place: 'lead' },
  { label: 'Charged', cell: ({ charged }) => moneyText(charged, ''), isNumber: true, from: 'tablet' },
  { label: 'Paid', cell: ({ paid }) => moneyText(paid, ''), isNumber: true, from: 'tablet' },
  { label: 'Due', cell: ({ due, credit }) => (credit > 0 ? `${moneyText(credit, '')} over` : moneyText(due, '')), isNumber: true },
  { label: 'Due date', cell: ({ due, dueOn }) => (due > 0 ? dateText(dueOn, '–') : '–'), from: 'tablet' },
];

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
