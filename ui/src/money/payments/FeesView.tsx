// What a student or a guardian reads about fees: what is due of each course and when, how to pay, and the receipts.
import { useState } from 'react';
import type { OwnFees } from '../../api-types.ts';
import { dateText } from '../../dates.ts';
import { moneyText } from '../../money.ts';
import { StatementOf } from './StatementOf.tsx';
import { receiptPath } from '../words.ts';
import './fees.css';

type FeesViewProps = {
  fees: OwnFees;
  /** Where the documents are read. */
  portal: 'students' | 'family';
  /** The address of the statement. */
  statement: string;
};

export function FeesView({ fees: { due, covered, overdue, credit, unapplied, refundsDue, nextDueOn, perItem, receipts, invoices, howToPay }, portal, statement }: FeesViewProps) {
  const open = perItem.filter((item) => item.due > 0);
  const isDueAtOnce = new Set(open.map(({ dueOn }) => dueOn)).size < 2 && open.every(({ instalments }) => instalments.length < 2);
  const refund = refundsDue.map(({ amount, dueOn }) => `${moneyText(amount, '')} by ${dateText(dueOn, '')}`).join(', ');
  const Heading = portal === 'students' ? 'h3' : 'h4';
  const day = nextDueOn && !overdue ? `, ${isDueAtOnce ? 'due' : 'first payment due'} ${dateText(nextDueOn, '')}` : '';
  return (
    <div className="fees-view">
      <p>
        {due > 0
          ? <><strong>{moneyText(due, '')}</strong><span>{` ${receipts.length > 0 ? 'still owing' : 'charged'}${day}. `}</span></>
          : <strong>Everything is paid.</strong>}
        {overdue > 0 && <strong>{`${moneyText(overdue, '')} is overdue. `}</strong>}
        {due > 0 && <span>{howToPay.text}</span>}
      </p>
      {covered > 0 && <p>{`Covered by ${moneyText(covered, '')} on account.`}</p>}
      {unapplied > covered && <p>{`${moneyText(unapplied - covered, '')} of what you paid is on account.`}</p>}
      {credit > 0 && <p>{`${moneyText(credit, '')} more was paid than charged.${refund ? '' : ' The office decides with you where it goes.'}`}</p>}
      {refund && <p>{`The school refunds you ${refund}.`}</p>}
      {howToPay.amount > 0 && (
        <dl className="pairs">
          <Copied term="Amount" text={howToPay.amount.toFixed(2)}>{moneyText(howToPay.amount, '')}</Copied>
          {howToPay.email && <Copied term="e-Transfer to" text={howToPay.email}>{howToPay.email}</Copied>}
          <Copied term="Your code" text={howToPay.code}>{howToPay.code}</Copied>
        </dl>
      )}
      {howToPay.amount > 0 && !/code/i.test(howToPay.text) && <p className="fine-print">Put your code in the message of the transfer, so that the payment is matched to you.</p>}
      <ul className="rows">
        {perItem.filter((item) => item.charged > 0 || item.due > 0).map((item) => (
          <li className="row" key={item.enrollmentId ?? -(item.admissionId ?? 0)}>
            <div>
              <p dir="auto">{item.for}</p>
              <p className="muted">{itemWords(item)}</p>
              {hasParts(item) && numbered(item.open).map(({ place, dueOn, amount }) => <p className="muted" key={place}>{`${item.instalments.length > 0 ? 'Instalment: ' : ''}${moneyText(amount, '')}, due ${dateText(dueOn, '')}`}</p>)}
            </div>
            <strong>{item.due > 0 ? `${moneyText(item.due, '')} due` : item.paid > item.refunded ? 'Paid' : 'Nothing due'}</strong>
          </li>
        ))}
      </ul>
      {receipts.length + invoices.length > 0 && <Heading>{[receipts.length > 0 && 'Receipts', invoices.length > 0 && 'Invoices'].filter(Boolean).join(' and ')}</Heading>}
      <ul className="rows">
        {receipts.map(({ number, amount, receivedOn, voidedAt }) => (
          <li className="row" key={number}>
            <span><strong>{moneyText(amount, '')}</strong><span>{` ${voidedAt ? 'reversed, was ' : ''}received ${dateText(receivedOn, '')}`}</span></span>
            <a href={receiptPath(number, portal)} target="_blank" rel="noopener">{`Receipt ${number}${voidedAt ? ' (void)' : ''}`}</a>
          </li>
        ))}
        {invoices.map(({ number, total, dueOn, state }) => (
          <li className="row" key={number}>
            <span><strong>{moneyText(total, '')}</strong><span>{` invoiced, due ${dateText(dueOn, '')} `}</span><small className="badge">{state === 'changed' ? 'changed since' : state.replace('_', ' ')}</small></span>
            <a href={`/api/${portal}/invoices/${number}`} target="_blank" rel="noopener">{`Invoice ${number}`}</a>
          </li>
        ))}
      </ul>
      <details className="ruled"><summary>Statement</summary><StatementOf path={statement} /></details>
    </div>
  );
}

type Item = OwnFees['perItem'][number];

/** Whether it is paid in parts, each of which is shown with its day. */
const hasParts = ({ instalments, open }: Item) => instalments.length > 0 || new Set(open.map(({ dueOn }) => dueOn)).size > 1;

/** With their places: two instalments may have one day and amount. */
const numbered = (parts: Item['open']) => parts.map((part, place) => ({ ...part, place }));

/** "$500.00 charged, $200.00 waived, $300.00 paid, due Dec 5, 2026". */
function itemWords(item: Item): string {
  const { charged, waived, paid, refunded, due, dueOn } = item;
  const parts: [number, string][] = [[charged, 'charged'], [waived, 'waived'], [paid, 'paid'], [refunded, 'refunded']];
  const words = parts.filter(([amount]) => amount > 0).map(([amount, word]) => `${moneyText(amount, '')} ${word}`);
  if (due > 0 && dueOn && !hasParts(item)) words.push(`due ${dateText(dueOn, '')}`);
  return words.join(', ');
}

/** A fact with a button that copies it. */
function Copied({ term, text, children }: { term: string; text: string; children: string }) {
  const [words, setWords] = useState('Copy');
  // Without https there is no clipboard.
  const copy = async () => setWords(await navigator.clipboard?.writeText(text).then(() => 'Copied', () => null) ?? 'Select it to copy');
  return (
    <div>
      <dt>{term}</dt>
      <dd className="cluster">
        <strong>{children}</strong>
        <button type="button" className="button button-quiet" aria-label={`${words}: ${term.toLowerCase()}`} onClick={() => void copy()} onBlur={() => setWords('Copy')}>{words}</button>
      </dd>
    </div>
  );
}
