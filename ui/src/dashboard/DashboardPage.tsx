// The office's morning: three figures, the requests that wait, and the ways to the other sections.
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { LoadFailed } from '../components/LoadFailed.tsx';
import { PageHead } from '../components/PageHead.tsx';
import { PendingEnrollments } from '../enrollments/PendingEnrollments.tsx';
import { DeadMailNotice } from '../mail/DeadMailNotice.tsx';
import { SpoolNotice } from '../mail/SpoolNotice.tsx';
import { BackupLine, BackupNotice } from './BackupState.tsx';
import { Figures } from './Figures.tsx';
import { QuickAccess } from './QuickAccess.tsx';
import { ReadOnlyNotice } from './ReadOnlyNotice.tsx';
import { dashboardQuery } from './queries.ts';

export function DashboardPage() {
  const dashboard = useQuery(dashboardQuery);
  const heading = useRef<HTMLHeadingElement>(null);

  return (
    <>
      <PageHead eyebrow="Staff" title="Admin Portal" ref={heading} />
      <ReadOnlyNotice dashboard={dashboard.data} />
      <SpoolNotice dashboard={dashboard.data} />
      <DeadMailNotice dashboard={dashboard.data} />
      <BackupNotice backup={dashboard.data?.backup} />
      {dashboard.isError ? (
        <LoadFailed words="Failed to load dashboard data. Please try again later." query={dashboard} heading={heading} />
      ) : (
        <Figures dashboard={dashboard.data} />
      )}
      <PendingEnrollments />
      <QuickAccess dashboard={dashboard.data} />
      <BackupLine backup={dashboard.data?.backup} />
    </>
  );
}
