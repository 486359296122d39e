// The office's morning: three figures, the requests that wait, and the ways to the other sections.
import { type Query, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { LoadFailed } from '../components/LoadFailed.tsx';
import { PageHead } from '../components/PageHead.tsx';
import { PendingEnrollments } from '../enrollments/PendingEnrollments.tsx';
import { DeadMailNotice } from '../mail/DeadMailNotice.tsx';
import { SpoolNotice } from '../mail/SpoolNotice.tsx';
import { UsedUpNotice } from '../mail/UsedUpNotice.tsx';
import { BackupLine, BackupNotice } from './BackupState.tsx';
import { Figures } from './Figures.tsx';
import { QuickAccess } from './QuickAccess.tsx';
import { ReadOnlyNotice } from './ReadOnlyNotice.tsx';
import { dashboardQuery } from './queries.ts';

const isFailed = ({ state }: Query) => state.status === 'error';

export function DashboardPage() {
  const dashboard = useQuery(dashboardQuery);
  const client = useQueryClient();
  const heading = useRef<HTMLHeadingElement>(null);

  /** What failed together is told once, and asked for again by one button. */
  const everything = {
    isFetching: dashboard.isFetching,
    refetch: async () => {
      const failedLists = { queryKey: ['enrollments', 'pending'], predicate: isFailed } as const;
      return (await Promise.all([dashboard.refetch(), client.refetchQueries(failedLists)]))[0];
    },
  };

  return (
    <>
      <PageHead eyebrow="Staff" title="Admin Portal" ref={heading} />
      <ReadOnlyNotice dashboard={dashboard.data} />
      <SpoolNotice dashboard={dashboard.data} />
      <DeadMailNotice dashboard={dashboard.data} />
      <UsedUpNotice dashboard={dashboard.data} />
      <BackupNotice backup={dashboard.data?.backup} />
      {dashboard.isError ? (
        <LoadFailed words="Failed to load dashboard data. Please try again later." query={everything} heading={heading} />
      ) : (
        <Figures dashboard={dashboard.data} />
      )}
      <PendingEnrollments isFailureTold={dashboard.isError} />
      <QuickAccess dashboard={dashboard.data} />
      <BackupLine backup={dashboard.data?.backup} />
    </>
  );
}
