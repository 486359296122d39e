// What is due by how late it is: a bar, and its figures. It has its place before they are loaded.
import { Link } from 'react-router';
import type { MoneySummary } from '../../api-types.ts';
import { moneyText } from '../../money.ts';

const ages = [
  { key: 'notYetDue', label: 'Not due yet' },
  { key: 'days1to30', label: '1–30 days late' },
  { key: 'days31to60', label: '31–60 days late' },
  { key: 'days61plus', label: '61 days and more' },
] as const;

/** `to` is the list of those who owe an admission fee; absent for a role without access to it. */
export function AgingBar({ summary, to }: { summary: MoneySummary | undefined; to?: string }) {
  const aging = summary?.aging;
  const total = aging ? ages.reduce((sum, { key }) => sum + aging[key], 0) : 0;
  let start = 0;
  return (
    <section className="card aging money-chart" aria-label="Due by age">
      <svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
        {aging && total > 0 && ages.map(({ key }) => {
          const [x, width] = [start, (aging[key] / total) * 100];
          start += width;
          return <rect key={key} className={`is-${key}`} x={x} width={width} height="1" />;
        })}
      </svg>
      <dl>
        {ages.map(({ key, label }) => (
          <div key={key}>
            <dt><svg className="sample" viewBox="0 0 1 1" aria-hidden="true"><rect className={`is-${key}`} width="1" height="1" /></svg> <span>{label}</span></dt>
            <dd>{moneyText(aging?.[key], '–')}</dd>
          </div>
        ))}
        <div><dt><span>Covered by money on account</span></dt><dd>{moneyText(summary?.covered, '–')}</dd></div>
        <div><dt>{to ? <Link to={to}>Admission fees due</Link> : <span>Admission fees due</span>}</dt><dd>{moneyText(summary?.admissionFeesDue, '–')}</dd></div>
      </dl>
    </section>
  );
}
