// The student's charges, due dates and how to pay, and what was paid with its receipts.
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { LoadFailed } from '../components/LoadFailed.tsx';
import { dateText } from '../dates.ts';
import { moneyText } from '../money.ts';
import { ownFeesQuery } from './queries.ts';
import { receiptPath } from './words.ts';

/** Hidden until something is charged or paid. */
export function FeesCard() {
  const fees = useQuery(ownFeesQuery);
  const heading = useRef<HTMLHeadingElement>(null);
  const { due = 0, unapplied = 0, nextDueOn, entries = [], receipts = [], howToPay } = fees.data ?? {};
  if (!fees.isError && entries.length === 0 && receipts.length === 0) return null;
  const charges = entries.filter(({ kind }) => kind !== 'payment');
  const day = nextDueOn ? `, due ${dateText(nextDueOn, '')}` : '';
  return (
    <section className="card" aria-labelledby="fees">
      <h2 id="fees" ref={heading} tabIndex={-1}>Fees</h2>
      {fees.isError && <LoadFailed words="Failed to load your fees. Please try again later." query={fees} heading={heading} />}
      {howToPay && (
        <div>
          <p>
            {due > 0
              ? <><strong>{moneyText(due, '')}</strong><span>{` ${receipts.length > 0 ? 'still to be paid' : 'as charged'}${day}. ${howToPay.text}`}</span></>
              : <strong>Everything is paid.</strong>}
          </p>
          {unapplied > 0 && <p>{`${moneyText(unapplied, '')} of what you paid is on account.`}</p>}
          {receipts.length > 0 && (
            <ul className="rows">
              {receipts.map(({ number, amount, receivedOn, voidedAt }) => (
                <li className="row" key={number}>
                  <span><strong>{moneyText(amount, '')}</strong><span>{` ${voidedAt ? 'taken back, was ' : ''}received ${dateText(receivedOn, '')}`}</span></span>
                  <a href={receiptPath(number, 'students')} target="_blank" rel="noopener">{`Receipt ${number}${voidedAt ? ' (void)' : ''}`}</a>
                </li>
              ))}
            </ul>
          )}
          <details>
            <summary>{`See the charges (${charges.length})`}</summary>
            <ul className="rows">
              {charges.map(({ id, courseCode, amount, dueOn }) => (
                <li key={id}>
                  <strong>{moneyText(amount, '')}</strong><span>{` ${courseCode ?? 'Admission'}${dueOn ? `, due ${dateText(dueOn, '')}` : ''}`}</span>
                </li>
              ))}
            </ul>
          </details>
        </div>
      )}
    </section>
  );
}
