// The office's dashboard: three figures, the to-do list, pending requests and quick access.
import { type Query, useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useRef, useState } from 'react';
import type { Prefetch } from '../accounts/guards.ts';
import { userQuery, useUser } from '../accounts/signedIn.ts';
import type { Dashboard } from '../api-types.ts';
import { LoadFailed } from '../components/LoadFailed.tsx';
import { loadPart } from '../components/loadPart.ts';
import { PageHead } from '../components/PageHead.tsx';
import { Spinner } from '../components/Spinner.tsx';
import { readEnrollmentsView, useEnrollmentsView } from '../enrollments/office/view.ts';
import { PendingEnrollments } from '../enrollments/PendingEnrollments.tsx';
import { officeEnrollmentsQuery, officeKey } from '../enrollments/queries.ts';
import type { Duty } from '../pages.ts';
import { dashboardQuery, waitingQuery } from '../staff/officeState.ts';
import { BackupLine } from './BackupState.tsx';
import { Figures } from './Figures.tsx';
import { FirstSteps, ShowFirstSteps } from './FirstSteps.tsx';
import { LateNotices, Notices } from './Notices.tsx';
import { firstStepsQuery } from './queries.ts';
import { QuickAccess } from './QuickAccess.tsx';
import { WaitingLines } from './WaitingLines.tsx';
import './dashboard.css';

/** The queue of a role that decides about money, and about no request. */
const OverdueCard = lazy(async () => ({ default: (await loadPart(() => import('../money/reports/OverdueCard.tsx'))).OverdueCard }));

const hasMoneyQueue = (duties: readonly Duty[]) => duties.includes('money') && !duties.includes('enrollments');

const isFailed = ({ state }: Query) => state.status === 'error';

export const prefetch: Prefetch = (client, parameters) => [
  client.prefetchQuery(dashboardQuery),
  client.prefetchQuery(waitingQuery),
  ...(client.getQueryData(userQuery.queryKey)?.duties.includes('settings') ? [client.prefetchQuery(firstStepsQuery)] : []),
  ...(hasMoneyQueue(client.getQueryData(userQuery.queryKey)?.duties ?? []) ? [] : [client.prefetchQuery(officeEnrollmentsQuery(readEnrollmentsView(parameters)))]),
];

export function DashboardPage() {
  const dashboard = useQuery(dashboardQuery);
  const waiting = useQuery(waitingQuery);
  const { duties } = useUser();
  const list = useQuery({ ...officeEnrollmentsQuery(useEnrollmentsView().view), enabled: !hasMoneyQueue(duties) });
  const steps = useQuery({ ...firstStepsQuery, enabled: duties.includes('settings') });
  const client = useQueryClient();
  const heading = useRef<HTMLHeadingElement>(null);
  const { first, isFailureAbove, begin } = useFirst(dashboard, waiting.isLoading || list.isLoading || steps.isLoading);

  /** Reports joint failures once, with one Retry button. */
  const everything = {
    isFetching: dashboard.isFetching,
    refetch: async () => {
      const failedLists = { queryKey: officeKey, predicate: isFailed } as const;
      const [answer] = await Promise.all([dashboard.refetch(), waiting.refetch(), client.refetchQueries(failedLists)]);
      if (answer.data) begin(answer.data);
      return answer;
    },
  };
  const loading = <Spinner label={hasMoneyQueue(duties) ? 'Loading what is overdue...' : 'Loading requests...'} />;
  const failed = <LoadFailed words="Failed to load dashboard data. Please try again later." query={everything} heading={heading} />;

  return (
    <>
      <div className="dashboard-head">
        <PageHead eyebrow="Staff" title="Admin Portal" ref={heading} />
        {isFailureAbove ? failed : <Figures dashboard={dashboard.data} />}
      </div>
      {first || isFailureAbove ? (
        <>
          {first && <Notices dashboard={first} />}
          {first && dashboard.data?.areFirstStepsHidden === false && steps.data && <FirstSteps steps={steps.data} heading={heading} />}
          <div className="card to-do">
            <WaitingLines lines={waiting.data} isFailed={waiting.isError} />
            <QuickAccess />
          </div>
          {hasMoneyQueue(duties)
            ? <Suspense fallback={loading}><OverdueCard /></Suspense>
            : <PendingEnrollments isFailureTold={dashboard.isError} />}
        </>
      ) : loading}
      <div className="late-notices" role="status">
        {first && dashboard.data && <LateNotices dashboard={dashboard.data} first={first} />}
        {first && dashboard.isError && failed}
      </div>
      {(first || isFailureAbove) && (
        <>
          <BackupLine backup={dashboard.data?.backup} />
          {dashboard.data?.areFirstStepsHidden && steps.data?.some(({ isDone }) => !isDone) && <ShowFirstSteps heading={heading} />}
        </>
      )}
    </>
  );
}

/**
 * The content above the table of requests is fixed by the first responses of a visit, so that nothing moves. Only a
 * manual retry resets it.
 */
function useFirst({ data, isError }: { data: Dashboard | undefined; isError: boolean }, areOthersLoading: boolean) {
  const [first, setFirst] = useState<Dashboard | 'failed' | null>(null);
  if (!first && !areOthersLoading && (data || isError)) setFirst(data ?? 'failed');
  return { first: first === 'failed' ? null : first, isFailureAbove: first === 'failed', begin: setFirst };
}
