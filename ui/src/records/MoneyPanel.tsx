// A student's money: what each course comes to, what was paid with receipts, and the ledger.
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { useUser } from '../accounts/signedIn.ts';
import type { Deposit, ItemFees, Payment, RefundDue } from '../api-types.ts';
import { ActionMenu, type MenuItem } from '../components/ActionMenu.tsx';
import { EmptyState } from '../components/EmptyState.tsx';
import { loadPart } from '../components/loadPart.ts';
import { type Column, Table } from '../components/Table.tsx';
import { useAction } from '../components/useAction.ts';
import { dateText } from '../dates.ts';
import { moneyText } from '../money.ts';
import type { EntryDialog, MoneyEntry } from '../money/charges/EntryDialog.tsx';
import { LedgerCard } from '../money/reports/LedgerCard.tsx';
import { ledgerQuery } from '../money/moneyQueries.ts';
import { partsOf, refundOf, whyNotMoved, whyNotReversed } from '../money/payments/moving.ts';
import type { MovePaymentDialog } from '../money/payments/MovePaymentDialog.tsx';
import type { ReversePaymentDialog } from '../money/payments/ReversePaymentDialog.tsx';
import { methods, receiptPath } from '../money/words.ts';
import type { PanelProps } from './tabs.ts';
import { nameOf } from './words.ts';
import '../components/ListCard.css';

/** Most visits to a student's money are about payments. */
const PapersCard = lazy(async () => ({ default: (await loadPart(() => import('../money/payments/PapersCard.tsx'))).PapersCard }));

/** Most students have no brothers and sisters here. */
const FamilyCard = lazy(async () => ({ default: (await loadPart(() => import('../money/reports/FamilyCard.tsx'))).FamilyCard }));

/** The dialog that is open, with what it is about. */
type Open =
  | { of: 'entry'; wish: MoneyEntry; Dialog: typeof EntryDialog }
  | { of: 'reversal'; payment: Payment; Dialog: typeof ReversePaymentDialog }
  | { of: 'move'; payment: Payment; Dialog: typeof MovePaymentDialog };

type OpenDialog = { of: 'entry'; wish: MoneyEntry } | { of: 'reversal' | 'move'; payment: Payment };

async function load(asked: OpenDialog): Promise<Open> {
  if (asked.of === 'entry') return { ...asked, Dialog: (await loadPart(() => import('../money/charges/EntryDialog.tsx'))).EntryDialog };
  if (asked.of === 'move') return { of: 'move', payment: asked.payment, Dialog: (await loadPart(() => import('../money/payments/MovePaymentDialog.tsx'))).MovePaymentDialog };
  return { of: 'reversal', payment: asked.payment, Dialog: (await loadPart(() => import('../money/payments/ReversePaymentDialog.tsx'))).ReversePaymentDialog };
}

export function MoneyPanel({ file: { student, money, family } }: PanelProps) {
  const mayWrite = useUser().duties.includes('money');
  const ledger = useQuery(ledgerQuery(student.id)).data;
  const [open, setOpen] = useState<Open | null>(null);
  const opening = useAction<Open, OpenDialog>({ mutationFn: load, onSuccess: setOpen });
  if (!money) return null;
  const { perItem, payments, deposits, unapplied } = money;
  const kin = family && <Suspense fallback={null}><FamilyCard student={{ id: student.id, name: nameOf(student) }} family={family} mayWrite={mayWrite} /></Suspense>;
  if (perItem.length === 0 && payments.length === 0) {
    return kin ?? <EmptyState icon="dollar" title="No charges yet"><p>The fee of a course is charged when it is approved.</p></EmptyState>;
  }
  const close = () => setOpen(null);
  const wish = (wish: MoneyEntry) => opening.run({ of: 'entry', wish });
  const actions = (payment: Payment) => [
    { label: 'Move…', why: ledger && whyNotMoved(payment, ledger), onPress: () => opening.run({ of: 'move', payment }) },
    { label: 'Reverse…', why: ledger && whyNotReversed(payment, ledger), onPress: () => opening.run({ of: 'reversal', payment }) },
  ];
  return (
    <div className="stack file-cards">
      {kin}
      <section className="card list-card" aria-labelledby="money-due">
        <header className="list-head">
          <div>
            <h2 id="money-due">Fees</h2>
            <p className="muted">{unapplied > 0 ? `${moneyText(unapplied, '')} is on account, not applied yet.` : 'Totals for each course.'}</p>
          </div>
        </header>
        <Table labelledBy="money-due" columns={mayWrite ? [...dueColumns, itemColumn(wish)] : dueColumns} rows={feeRows(perItem, deposits, ledger?.refundsDue)} name={(item) => item.for} isDone={({ due, credit, refund }) => due === 0 && credit === 0 && !refund} />
      </section>
      {payments.length > 0 && (
        <section className="card list-card" aria-labelledby="money-paid">
          <header className="list-head">
            <div>
              <h2 id="money-paid">Payments</h2>
              <p className="muted">A mistake is reversed, and stays in this list.</p>
            </div>
          </header>
          <Table
            labelledBy="money-paid"
            columns={mayWrite ? [...paymentColumns, paymentColumn(actions)] : paymentColumns}
            rows={payments}
            name={({ receiptNumber }) => `receipt ${receiptNumber}`}
            isDone={({ voidedAt }) => voidedAt !== null}
          />
        </section>
      )}
      <LedgerCard studentId={student.id} studentName={nameOf(student)} due={perItem.reduce((sum, { due }) => sum + due, 0)} mayWrite={mayWrite} onWish={wish} />
      <Suspense fallback={null}><PapersCard student={{ id: student.id, name: nameOf(student) }} mayWrite={mayWrite} /></Suspense>
      {open?.of === 'entry' && <open.Dialog student={{ id: student.id, name: nameOf(student) }} wish={open.wish} onClose={close} />}
      {open?.of === 'reversal' && <open.Dialog payment={open.payment} onClose={close} />}
      {open?.of === 'move' && ledger && <open.Dialog payment={open.payment} parts={partsOf(open.payment, ledger)} items={perItem} onClose={close} />}
    </div>
  );
}

/** A row of the fees; a deposit is a part of the row above it, and counts nowhere else. */
type FeeRow = ItemFees & { id: number; isDeposit: boolean; refund: RefundDue | undefined };

function feeRows(items: readonly ItemFees[], deposits: readonly Deposit[], refunds: readonly RefundDue[] = []): FeeRow[] {
  return items.flatMap((item) => {
    const id = item.enrollmentId ?? -2 * (item.admissionId ?? 0);
    const asked = item.admissionId === null ? undefined : deposits.find(({ admissionId }) => admissionId === item.admissionId);
    const refund = refunds.find(({ enrollmentId }) => enrollmentId === item.enrollmentId);
    const row = { ...item, id, isDeposit: false, refund };
    if (!asked) return [row];
    const { amount, received, due, dueOn } = asked;
    const deposit = { ...row, id: id - 1, isDeposit: true, for: 'Deposit, a part of this fee', quoted: null, charged: amount, waived: 0, paid: received, refunded: 0, due, credit: 0, dueOn, instalments: [], open: [] };
    return [row, deposit];
  });
}

const dueColumns: Column<FeeRow>[] = [
  { label: 'For', cell: (item) => (item.isDeposit ? <span className="muted">{`↳ ${item.for}`}</span> : <span dir="auto">{item.for}</span>), place: 'lead', folded: ({ refund }) => refundWords(refund) },
  { label: 'Quoted', cell: ({ quoted }) => moneyText(quoted, '–'), isNumber: true, from: 'desk' },
  { label: 'Charged', cell: ({ charged, waived }) => <><span>{moneyText(charged, '')}</span>{waived > 0 && <small>{` − ${moneyText(waived, '')} waived`}</small>}</>, isNumber: true, from: 'tablet' },
  { label: 'Paid', cell: ({ paid, refunded }) => <><span>{moneyText(paid, '')}</span>{refunded > 0 && <small>{` − ${moneyText(refunded, '')} back`}</small>}</>, isNumber: true, from: 'tablet' },
  { label: 'Due', cell: ({ due, credit }) => (credit > 0 ? `${moneyText(credit, '')} credit` : moneyText(due, '')), isNumber: true },
  { label: 'Due date', isNumber: true, cell: ({ due, dueOn, open, refund }) => (due > 0 && !refund ? <DueDates dueOn={dueOn} open={open} /> : <span>{refundWords(refund) ?? '–'}</span>), from: 'tablet' },
];

const refundWords = (refund: RefundDue | undefined) => refund && `${moneyText(refund.amount, '')} refund due ${dateText(refund.dueOn, '')}`;

/** One day, or each part with its own; of more than two the first, and when the last is due. */
function DueDates({ dueOn, open }: { dueOn: string | null; open: ItemFees['open'] }) {
  const [first, ...rest] = open;
  if (!first || rest.every((part) => part.dueOn === first.dueOn)) return <span>{dateText(dueOn, '–')}</span>;
  const [next] = rest;
  return (
    <>
      <div>{`${moneyText(first.amount, '')} ${dateText(first.dueOn, '–')}`}</div>
      <div>{rest.length === 1 ? `${moneyText(next?.amount, '')} ${dateText(next?.dueOn, '–')}` : `${rest.length} more until ${dateText(rest.at(-1)?.dueOn, '–')}`}</div>
    </>
  );
}

const itemColumn = (onWish: (wish: MoneyEntry) => void): Column<FeeRow> => ({
  label: 'Action',
  place: 'action',
  cell: (item) => !item.isDeposit && (
    <ActionMenu
      isCompact
      label={`Charge, waive or refund ${item.for}`}
      items={[
        { label: 'Charge…', onPress: () => onWish({ what: 'charge', item }) },
        { label: 'Waive…', why: item.charged <= item.waived && 'Nothing is charged that could be waived.', onPress: () => onWish({ what: 'waive', item }) },
        { label: 'Refund…', why: !item.refund && item.paid <= item.refunded && 'There is no payment to refund.', onPress: () => onWish(item.refund ? refundOf(item.refund, [item]) : { what: 'refund', item }) },
        ...settling(item.refund, onWish),
        { label: 'Instalments…', why: whyNoPlan(item), onPress: () => onWish({ what: 'plan', item }) },
      ]}
    />
  ),
});

const settling = (due: RefundDue | undefined, onWish: (wish: MoneyEntry) => void): MenuItem[] =>
  (due ? [{ label: 'Mark Refund as Not Needed…', onPress: () => onWish({ what: 'settle', due }) }] : []);

function whyNoPlan({ enrollmentId, charged, waived }: ItemFees): string | false {
  if (enrollmentId === null) return 'Its offer set the days.';
  return charged <= waived && 'Nothing is charged that could be divided.';
}

const paymentColumns: Column<Payment>[] = [
  { label: 'Received', cell: ({ receivedOn }) => dateText(receivedOn, ''), place: 'lead' },
  { label: 'Method', cell: ({ method, reference }) => <span dir="auto">{[methods[method], reference].filter(Boolean).join(' · ')}</span>, place: 'side', from: 'tablet' },
  { label: 'Paid by', cell: ({ payerName }) => <span dir="auto">{payerName ?? '–'}</span>, place: 'rest', from: 'desk' },
  {
    label: 'Receipt',
    cell: ({ receiptNumber, voidedAt }) => (
      <><a href={receiptPath(receiptNumber, 'admin')} target="_blank" rel="noopener">{receiptNumber}</a>{voidedAt && <> <span className="badge tone-red">void</span></>}</>
    ),
  },
  { label: 'Amount', cell: ({ amount }) => moneyText(amount, ''), isNumber: true },
];

const paymentColumn = (actions: (payment: Payment) => MenuItem[]): Column<Payment> => ({
  label: 'Action',
  place: 'action',
  from: 'tablet',
  cell: (payment) => <ActionMenu isCompact label={`Move or reverse receipt ${payment.receiptNumber}`} items={actions(payment)} />,
});
