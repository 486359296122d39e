// What fell due and what was received, month by month, as bars. The table below it says the same in figures.
import type { MonthTotal } from '../../api-types.ts';
import { moneyText } from '../../money.ts';
import { monthName } from './months.ts';
import './months.css';

/** Bars stand on the lower edge of a picture that is 100 high and 1 wide for each month, and is stretched to its place. */
export function MonthsChart({ months }: { months: readonly MonthTotal[] }) {
  const most = Math.max(1, ...months.flatMap(({ due, received }) => [due, received]));
  const height = (amount: number) => (amount / most) * 100;
  return (
    <figure className="months money-chart" aria-hidden="true">
      <figcaption className="cluster">
        <span><Sample kind="paid" /> Paid</span>
        <span><Sample kind="open" /> Unpaid</span>
        <span><Sample kind="received" /> Received</span>
        <small>{`The highest bar is ${moneyText(most, '')}`}</small>
      </figcaption>
      <svg viewBox={`0 0 ${months.length} 100`} preserveAspectRatio="none">
        {[0.5, 25, 50, 75].map((y) => <path key={y} className="line" d={`M0 ${y}H${months.length}`} />)}
        {months.map(({ month, due, open, received }, at) => (
          <g key={month}>
            <rect className="is-paid" x={at + 0.14} y={100 - height(due - open)} width={0.34} height={height(due - open)} />
            <rect className="is-open" x={at + 0.14} y={100 - height(due)} width={0.34} height={height(open)} />
            <rect className="is-received" x={at + 0.52} y={100 - height(received)} width={0.34} height={height(received)} />
          </g>
        ))}
        <path className="line" d={`M0 99.7H${months.length}`} />
      </svg>
      <ol>
        {months.map(({ month }, at) => <li key={month}><span>{monthName(month, 'short')}</span>{(at === 0 || month.endsWith('-01')) && <small>{month.slice(0, 4)}</small>}</li>)}
      </ol>
    </figure>
  );
}

const Sample = ({ kind }: { kind: 'paid' | 'open' | 'received' }) => <svg className="sample" viewBox="0 0 1 1"><rect className={`is-${kind}`} width="1" height="1" /></svg>;
