// The student's charges, due dates and how to pay, from the ledger.
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { LoadFailed } from '../components/LoadFailed.tsx';
import { dateText } from '../dates.ts';
import { moneyText } from '../money.ts';
import { ownFeesQuery } from './queries.ts';

/** Hidden until something is charged. */
export function FeesCard() {
  const fees = useQuery(ownFeesQuery);
  const heading = useRef<HTMLHeadingElement>(null);
  const { balance, nextDueOn, entries = [], howToPay } = fees.data ?? {};
  if (!fees.isError && entries.length === 0) return null;
  return (
    <section className="card" aria-labelledby="fees">
      <h2 id="fees" ref={heading} tabIndex={-1}>Fees</h2>
      {fees.isError && <LoadFailed words="Failed to load your fees. Please try again later." query={fees} heading={heading} />}
      {howToPay && (
        <div>
          <p>
            <strong>{moneyText(balance, '')}</strong>
            <span>{` as charged${nextDueOn ? `, due ${dateText(nextDueOn, '')}` : ''}. ${howToPay.text}`}</span>
          </p>
          {!entries.some(({ kind }) => kind === 'payment') && <p className="muted">Payments are not deducted yet.</p>}
          <details>
            <summary>{`See the charges (${entries.length})`}</summary>
            <ul className="rows">
              {entries.map(({ id, courseCode, amount, dueOn }) => (
                <li key={id}>
                  <strong>{moneyText(amount, '')}</strong><span>{` ${courseCode}${dueOn ? `, due ${dateText(dueOn, '')}` : ''}`}</span>
                </li>
              ))}
            </ul>
          </details>
        </div>
      )}
    </section>
  );
}
