// The school's money: the figures, each a link to its list, and its sections (`moneySections.ts`) as tabs. A role that
// reads totals alone is shown the figures and the aging.
import { type QueryClient, useQuery } from '@tanstack/react-query';
import { type ComponentType, lazy, Suspense } from 'react';
import { Link } from 'react-router';
import type { Prefetch } from '../accounts/guards.ts';
import { userQuery, useUser } from '../accounts/signedIn.ts';
import { loadPart } from '../components/loadPart.ts';
import { PageHead } from '../components/PageHead.tsx';
import { Spinner } from '../components/Spinner.tsx';
import { useUrlView } from '../components/useUrlView.ts';
import { dateText } from '../dates.ts';
import { at } from '../pages.ts';
import { useSchool } from '../school/queries.ts';
import { NoAccess } from '../staff/ClosedSection.tsx';
import { AgingBar } from './reports/AgingBar.tsx';
import { Balances } from './reports/Balances.tsx';
import { Invoices } from './payments/Invoices.tsx';
import { invoicesQuery } from './payments/invoices.ts';
import { MoneyFigures } from './reports/MoneyFigures.tsx';
import { MoneyNav } from './MoneyNav.tsx';
import { balancesQuery, moneySettingsQuery, paymentsQuery, policiesQuery, refundsDueQuery, remindersQuery, summaryQuery } from './moneyQueries.ts';
import { sectionOf, type Shown } from './moneySections.ts';
import { type MoneyView, readMoneyView, type SectionProps, writeMoneyView } from './moneyView.ts';
import { PaymentsByDay } from './payments/PaymentsByDay.tsx';
import { RecordAnyPayment } from './payments/RecordAnyPayment.tsx';
import { todayIn } from './words.ts';

/** `prefetch` of what the list begins with; a lazy part asks itself. */
type Section = { Part: ComponentType<SectionProps>; prefetch?: (client: QueryClient, view: MoneyView) => Promise<unknown> };

const Months = lazy(async () => ({ default: (await loadPart(() => import('./reports/Months.tsx'))).Months }));

const Reminders = lazy(async () => ({ default: (await loadPart(() => import('./reports/Reminders.tsx'))).Reminders }));
const RefundsDue = lazy(async () => ({ default: (await loadPart(() => import('./refunds/RefundsDue.tsx'))).RefundsDue }));
const RefundPolicies = lazy(async () => ({ default: (await loadPart(() => import('./refunds/RefundPolicies.tsx'))).RefundPolicies }));

const MoneySettings = lazy(async () => ({ default: (await loadPart(() => import('./MoneySettings.tsx'))).MoneySettings }));

const parts: Record<Shown, Section> = {
  balances: { Part: Balances, prefetch: (client, view) => client.prefetchQuery(balancesQuery(view)) },
  payments: { Part: PaymentsByDay, prefetch: (client, { page, q, method }) => client.prefetchQuery(paymentsQuery(page, q, method)) },
  invoices: { Part: Invoices, prefetch: (client, { page, q }) => client.prefetchQuery(invoicesQuery(page, q)) },
  months: { Part: Months },
  reminders: { Part: Reminders, prefetch: (client, { page, q }) => client.prefetchQuery(remindersQuery(page, q)) },
  refunds: { Part: RefundsDue, prefetch: (client, { page, q }) => client.prefetchQuery(refundsDueQuery(page, q)) },
  policies: { Part: RefundPolicies, prefetch: (client) => client.prefetchQuery(policiesQuery) },
  settings: { Part: MoneySettings, prefetch: (client) => client.prefetchQuery(moneySettingsQuery) },
};

export const prefetch: Prefetch = (client, parameters) => {
  const view = readMoneyView(parameters);
  const mayRead = client.getQueryData(userQuery.queryKey)?.duties.includes(sectionOf(view.show).duty);
  return [client.prefetchQuery(summaryQuery(view.asOf)), ...[mayRead && parts[view.show].prefetch?.(client, view)].filter((asked) => asked instanceof Promise)];
};

export function MoneyPage() {
  const [view, show] = useUrlView<MoneyView>({ read: readMoneyView, write: writeMoneyView });
  const { data: summary, isError } = useQuery(summaryQuery(view.asOf));
  const { duties } = useUser();
  const today = todayIn(useSchool().timeZone);
  const { label, duty } = sectionOf(view.show);
  const { Part } = parts[view.show];
  return (
    <>
      <PageHead eyebrow="Records" title="Money" actions={duties.includes('money') && <RecordAnyPayment />}>
        {view.asOf !== '' && view.asOf !== today && <p className="muted"><span>{`As of ${dateText(view.asOf, '')}. `}</span><Link to={`${at('/admin/money')}?${new URLSearchParams(writeMoneyView({ ...view, asOf: '' }))}`}>Show Today</Link></p>}
      </PageHead>
      <MoneyFigures view={view} summary={summary} isFailed={isError} />
      {duties.includes('balances') ? <MoneyNav current={view.show} /> : <AgingBar summary={summary} />}
      {!duties.includes(duty) && view.show !== 'balances' && <NoAccess label={label} />}
      {duties.includes(duty) && <Suspense fallback={<Spinner label="Loading..." />}><Part view={view} onView={show} summary={summary} /></Suspense>}
    </>
  );
}
