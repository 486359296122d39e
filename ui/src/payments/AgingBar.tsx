// What is due by how late it is: a bar, and its figures. It has its place before they are loaded.
import type { MoneySummary } from '../api-types.ts';
import { moneyText } from '../money.ts';

const ages = [
  { key: 'notYetDue', label: 'Not due yet' },
  { key: 'days1to30', label: '1–30 days late' },
  { key: 'days31to60', label: '31–60 days late' },
  { key: 'days61plus', label: '61 days and more' },
] as const;

export function AgingBar({ summary }: { summary: MoneySummary | undefined }) {
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
        <div><dt>Admission fees due</dt><dd>{moneyText(summary?.admissionFeesDue, '–')}</dd></div>
      </dl>
    </section>
  );
}
