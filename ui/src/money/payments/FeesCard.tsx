// The student's fees, on the dashboard.
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { LoadFailed } from '../../components/LoadFailed.tsx';
import { FeesView } from './FeesView.tsx';
import { ownFeesQuery } from '../queries.ts';

/** Hidden until something is charged or paid. */
export function FeesCard() {
  const fees = useQuery(ownFeesQuery);
  const heading = useRef<HTMLHeadingElement>(null);
  const { entries = [], receipts = [] } = fees.data ?? {};
  if (!fees.isError && entries.length === 0 && receipts.length === 0) return null;
  return (
    <section className="card" aria-labelledby="fees">
      <h2 id="fees" ref={heading} tabIndex={-1}>Fees</h2>
      {fees.isError && <LoadFailed words="Failed to load your fees. Please try again later." query={fees} heading={heading} />}
      {fees.data && <FeesView fees={fees.data} portal="students" statement="/api/students/statement" />}
    </section>
  );
}
