// The school's money: the figures, each a link to its list; who owes what and since when; payments by day.
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { Prefetch } from '../accounts/guards.ts';
import { useUrlView } from '../components/useUrlView.ts';
import { PageHead } from '../components/PageHead.tsx';
import { moneyText } from '../money.ts';
import { paths } from '../paths.ts';
import { Balances } from './Balances.tsx';
import { type MoneyView, readMoneyView, writeMoneyView } from './moneyView.ts';
import { PaymentsByDay } from './PaymentsByDay.tsx';
import { balancesQuery, paymentsQuery, summaryQuery } from './moneyQueries.ts';
import '../components/Chips.css';

export const prefetch: Prefetch = (client, parameters) => {
  const view = readMoneyView(parameters);
  const list = view.show === 'payments' ? client.prefetchQuery(paymentsQuery(view.page, view.q, view.method)) : client.prefetchQuery(balancesQuery(view));
  return [client.prefetchQuery(summaryQuery(view.asOf)), list];
};

const money = (amount: number | undefined) => moneyText(amount, '…');

export function MoneyPage() {
  const [view, show] = useUrlView<MoneyView>({ read: readMoneyView, write: writeMoneyView });
  const summary = useQuery(summaryQuery(view.asOf)).data;
  const isShown = (name: string) => (view.show === 'balances' && view.filter === name ? 'true' : undefined);
  return (
    <>
      <PageHead eyebrow="Records" title="Money" />
      <nav className="chips" aria-label="Figures">
        <Link to={paths.adminMoney('due')} aria-current={isShown('due')}><span>Due now or later </span><small>{money(summary?.due)}</small></Link>
        <Link to={paths.adminMoney('overdue')} aria-current={isShown('overdue')}><span>Overdue </span><small>{money(summary?.overdue)}</small></Link>
        <Link to={paths.adminMoney('credit')} aria-current={isShown('credit')}><span>Credits </span><small>{money(summary?.credits)}</small></Link>
        <Link to={paths.adminMoney('unapplied')} aria-current={isShown('unapplied')}><span>On account </span><small>{money(summary?.unapplied)}</small></Link>
        <Link to={paths.adminCharges}><span>Unpriced </span><small>{summary?.unpricedCount ?? '…'}</small></Link>
        <Link to={paths.adminPayments} aria-current={view.show === 'payments' ? 'true' : undefined}><span>Received this month </span><small>{money(summary?.receivedThisMonth)}</small></Link>
      </nav>
      {view.show === 'payments' ? <PaymentsByDay view={view} onView={show} /> : <Balances view={view} onView={show} aging={summary?.aging} />}
    </>
  );
}
