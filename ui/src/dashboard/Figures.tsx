// The three summary cards (section 2).
import { Link } from 'react-router';
import { useUser } from '../accounts/signedIn.ts';
import type { Dashboard } from '../api-types.ts';
import type { Elements } from '../components/elements.ts';
import { moneyText } from '../money.ts';
import { officePaths } from '../officePaths.ts';

/** `dashboard` is undefined while loading. */
export function Figures({ dashboard }: { dashboard: Dashboard | undefined }) {
  const unpriced = dashboard?.unpricedEnrollmentsCount ?? 0;
  const mayReadBalances = useUser().duties.includes('balances');
  return (
    <div className="figures" aria-busy={!dashboard}>
      <Figure title="Pending Enrollments" value={dashboard?.pendingEnrollmentsCount} to={officePaths.enrollments()}>
        <p>Course enrollments awaiting approval</p>
      </Figure>
      <Figure title="Approved Enrollments" value={dashboard?.approvedEnrollmentsCount} to={officePaths.enrollments('active')}>
        <p>Total active course enrollments</p>
      </Figure>
      <Figure
        title="Total Fee Due"
        value={dashboard && moneyText(dashboard.totalFeeDue, '$0.00')}
        to={mayReadBalances ? `${officePaths.students}?sort=-balance` : null}
      >
        <p>Total outstanding course fees</p>
        {unpriced > 0 && <Link to={officePaths.charges}>{`Plus ${unpriced} unpriced ${unpriced === 1 ? 'enrollment' : 'enrollments'}`}</Link>}
      </Figure>
    </div>
  );
}

type FigureProps = {
  title: string;
  value: string | number | undefined;
  /** Link to the counted list; null if the role may not read it. */
  to: string | null;
  children: Elements;
};

function Figure({ title, value, to, children }: FigureProps) {
  return (
    <section className="card figure">
      <h2>{title}</h2>
      <strong>{value !== undefined && to ? <Link to={to}>{value}</Link> : value}</strong>
      {children}
    </section>
  );
}
