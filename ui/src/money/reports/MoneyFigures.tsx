// The figures of the school's money at the end of a day, each a link to its list if the role may see it.
import { Link } from 'react-router';
import type { MoneySummary } from '../../api-types.ts';
import { useUser } from '../../accounts/signedIn.ts';
import { moneyText } from '../../money.ts';
import { at } from '../../pages.ts';
import { officePaths } from '../../officePaths.ts';
import { useSchool } from '../../school/queries.ts';
import { type MoneyView, writeMoneyView } from '../moneyView.ts';
import { monthName } from './months.ts';
import { todayIn } from '../words.ts';
import '../money.css';

type MoneyFiguresProps = { view: MoneyView; summary: MoneySummary | undefined; isFailed: boolean; hasDue?: boolean };

/** `summary` is undefined while it loads, and when it failed. */
export function MoneyFigures({ view, summary, isFailed, hasDue = true }: MoneyFiguresProps) {
  const today = todayIn(useSchool().timeZone);
  const isToday = !view.asOf || view.asOf === today;
  const without = isFailed ? '–' : '';
  const money = (amount: number | undefined) => moneyText(amount, without);
  const mayOpen = useUser().duties.includes('balances');
  const of = (filter: string) => ({
    to: mayOpen && `${at('/admin/money')}?${new URLSearchParams(writeMoneyView({ ...view, show: 'balances', filter, q: '', page: 1 }))}`,
    isCurrent: view.show === 'balances' && view.filter === filter,
  });
  return (
    <nav className="money-figures" aria-label="Figures" aria-busy={!summary && !isFailed}>
      {hasDue && <Figure {...of('due')} label="Due" figure={money(summary?.totalDue)} />}
      <Figure {...of('overdue')} label="Overdue" figure={money(summary?.overdue)} />
      <Figure {...of('credit')} label="Credits" figure={money(summary?.credits)} />
      <Figure {...of('unapplied')} label="On account" figure={money(summary?.unapplied)} />
      {/* Known for today alone. */}
      {isToday && <Figure to={officePaths.charges} label="Unpriced" figure={summary ? String(summary.unpricedCount) : without} />}
      <Figure to={mayOpen && officePaths.payments} label={isToday ? 'Received this month' : `Received in ${monthName(view.asOf, 'long')}`} figure={money(summary?.receivedThisMonth)} isCurrent={view.show === 'payments'} />
    </nav>
  );
}

/** `to` is false for a role without access to the list. */
type FigureProps = { to: string | false; label: string; figure: string; isCurrent?: boolean };

function Figure({ to, label, figure, isCurrent = false }: FigureProps) {
  const content = <><span>{label}</span> <strong>{figure}</strong></>;
  return to ? <Link className="card" to={to} aria-current={isCurrent ? 'true' : undefined}>{content}</Link> : <div className="card">{content}</div>;
}
