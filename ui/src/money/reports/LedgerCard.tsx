// A student's ledger: every entry with what was owed after it, the newest first, and what lies on account.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { failureWords, wire } from '../../api.ts';
import type { LedgerEntry, Payout, StudentReminders } from '../../api-types.ts';
import { useAction } from '../../components/useAction.ts';
import { useDialogPart } from '../../components/useDialogPart.ts';
import { LoadFailed } from '../../components/LoadFailed.tsx';
import { Spinner } from '../../components/Spinner.tsx';
import { type Column, Table } from '../../components/Table.tsx';
import { showFailure, showToast } from '../../components/toasts.ts';
import { dateText, shortDayText, type Zone } from '../../dates.ts';
import { moneyText } from '../../money.ts';
import { useSchool } from '../../school/queries.ts';
import type { MoneyEntry } from '../charges/EntryDialog.tsx';
import { ledgerQuery, moneyKeys } from '../moneyQueries.ts';
import { reminderModes } from './reminderWords.ts';
import { useApplyMoney } from '../charges/useApplyMoney.tsx';
import { kinds, methods, receiptPath } from '../words.ts';

type LedgerCardProps = { studentId: number; studentName: string; due: number; mayWrite: boolean; onWish: (wish: MoneyEntry) => void };

export function LedgerCard({ studentId, studentName, due, mayWrite, onWish }: LedgerCardProps) {
  const ledger = useQuery(ledgerQuery(studentId));
  const { timeZone } = useSchool();
  const heading = useRef<HTMLHeadingElement>(null);
  const { entries = [], unapplied = 0, payouts = [], reminders, hold } = ledger.data ?? {};
  const owed = entries[0]?.running ?? 0;
  const dialog = useDialogPart(() => import('./ReminderModeDialog.tsx'));
  const holding = useDialogPart(() => import('../charges/HoldDialog.tsx'));
  const applying = useApplyMoney();
  const client = useQueryClient();
  const releasing = useAction({
    mutationFn: () => wire.request(`/api/admin/students/${studentId}/hold`, { method: 'DELETE' }),
    onSuccess: () => {
      showToast('Released', 'The money on account covers what is due again.');
      for (const queryKey of moneyKeys) void client.invalidateQueries({ queryKey });
    },
    onError: (error) => showFailure('It is still set aside', failureWords(error, 'Please try again.')),
  });
  const columns = [...facts(timeZone), ...(mayWrite ? [action(onWish)] : [])];
  return (
    <section className="card list-card" aria-labelledby="money-ledger">
      <header className="row list-head">
        <div>
          <h2 id="money-ledger" ref={heading} tabIndex={-1}>Ledger</h2>
          {unapplied > 0 && <p>{`${moneyText(owed, '')} − ${moneyText(unapplied, '')} on account = ${moneyText(owed - unapplied, '')} balance.`}</p>}
          {hold && unapplied > 0 && <p><span>{`${moneyText(Math.min(hold.amount, unapplied), '')} is set aside until ${dateText(hold.until, '')}: `}</span><bdi>{hold.heldFor}</bdi></p>}
          {ledger.data && <p className="muted">{`Code for transfers: ${ledger.data.paymentCode}. ${remindersText(ledger.data.reminders)}`}</p>}
        </div>
        {mayWrite && (
          <div className="list-tools">
            {reminders && <button type="button" className="button button-quiet" onClick={dialog.open}>Reminders…</button>}
            {unapplied > 0 && due > 0 && <button type="button" className="button button-outline" aria-disabled={applying.isPending} onClick={() => applying.run([studentId])}>Apply to What Is Due</button>}
            {unapplied > 0 && (hold
              ? <button type="button" className="button button-outline" aria-disabled={releasing.isPending} onClick={() => releasing.run()}>Release What Is Set Aside</button>
              : <button type="button" className="button button-outline" onClick={holding.open}>Set Aside…</button>)}
            {unapplied > 0 && <button type="button" className="button button-outline" onClick={() => onWish({ what: 'payBack', unapplied })}>Refund…</button>}
          </div>
        )}
      </header>
      {applying.notice}
      {ledger.isPending && <Spinner label="Loading the ledger..." />}
      {ledger.isError && <LoadFailed words="Failed to load the ledger. Please try again later." query={ledger} heading={heading} />}
      {entries.length > 0 && (
        <Table labelledBy="money-ledger" columns={columns} rows={entries} name={({ kind, for: label }) => `${kinds[kind]}, ${label}`} isDone={({ reversedBy, kind }) => reversedBy !== null || kind === 'reversal'} />
      )}
      {payouts.length > 0 && (
        <>
          <header className="list-head"><h3 id="money-payouts">Refunds from the Account</h3></header>
          <Table labelledBy="money-payouts" columns={mayWrite ? [...payoutColumns, payoutAction(onWish)] : payoutColumns} rows={payouts} name={({ amount }) => `refund of ${moneyText(amount, '')}`} />
        </>
      )}
      {holding.part && <holding.part.HoldDialog student={{ id: studentId, name: studentName }} unapplied={unapplied} onClose={holding.close} />}
      {dialog.part && reminders && <dialog.part.ReminderModeDialog student={{ id: studentId, name: studentName }} reminders={reminders} onClose={dialog.close} />}
    </section>
  );
}

/** "Reminders: never. Last reminded Nov 23, 2026." */
function remindersText({ state, lastReminderOn }: StudentReminders): string {
  const until = state?.until ? ` until ${dateText(state.until, '')}` : '';
  const mode = `Reminders: ${reminderModes[state?.mode ?? 'normal'].toLowerCase()}${until}${state?.note ? ` (${state.note})` : ''}.`;
  return lastReminderOn ? `${mode} Last reminded ${dateText(lastReminderOn, '')}.` : mode;
}

const signed = ({ kind, amount }: LedgerEntry) => moneyText(kind === 'payment' || kind === 'waiver' ? -amount : amount, '');

const facts = (timeZone: Zone): Column<LedgerEntry>[] => [
  {
    label: 'Entry',
    place: 'lead',
    cell: ({ kind, for: label, description }) => <><strong>{kinds[kind]}</strong><small><bdi>{` · ${label}`}</bdi>{description && !label.endsWith(description) && <bdi>{` · ${description}`}</bdi>}</small></>,
  },
  { label: 'Amount', isNumber: true, cell: signed },
  { label: 'Running total', isNumber: true, from: 'tablet', cell: ({ running }) => moneyText(running, '') },
  { label: 'Due date', isNumber: true, from: 'desk', cell: ({ dueOn }) => dateText(dueOn, '–') },
  {
    label: 'Receipt',
    isNumber: true,
    from: 'desk',
    cell: ({ receiptNumber }) => (receiptNumber ? <a href={receiptPath(receiptNumber, 'admin')} target="_blank" rel="noopener">{receiptNumber}</a> : '–'),
  },
  { label: 'Posted', isNumber: true, from: 'tablet', cell: ({ at, by }) => <><span>{shortDayText(at, timeZone, '')}</span><small>{by && ` · ${by}`}</small></> },
];

const action = (onWish: LedgerCardProps['onWish']): Column<LedgerEntry> => ({
  label: 'Action',
  place: 'action',
  from: 'tablet',
  cell: (entry) => {
    if (entry.kind === 'reversal') return '–';
    if (entry.reversedBy !== null) return 'Reversed';
    return <button type="button" className="button button-quiet" aria-label={`Reverse the ${kinds[entry.kind].toLowerCase()} of ${moneyText(entry.amount, '')}, ${entry.for}`} onClick={() => onWish({ what: 'reverse', entry })}>Reverse</button>;
  },
});

const payoutColumns: Column<Payout>[] = [
  { label: 'Refunded', place: 'lead', cell: ({ paidOn }) => dateText(paidOn, '') },
  { label: 'Method', place: 'side', from: 'tablet', cell: ({ method, reference }) => <span dir="auto">{[methods[method], reference].filter(Boolean).join(' · ')}</span> },
  { label: 'Reason', place: 'rest', from: 'desk', cell: ({ reason }) => <span dir="auto">{reason}</span> },
  { label: 'Amount', isNumber: true, cell: ({ amount }) => moneyText(amount, '') },
];

const payoutAction = (onWish: LedgerCardProps['onWish']): Column<Payout> => ({
  label: 'Action',
  place: 'action',
  from: 'tablet',
  cell: (payout) => <button type="button" className="button button-quiet" aria-label={`Reverse the refund of ${moneyText(payout.amount, '')}`} onClick={() => onWish({ what: 'reversePayout', payout })}>Reverse</button>,
});
