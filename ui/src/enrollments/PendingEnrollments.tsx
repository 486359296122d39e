// Pending requests (section 2), oldest first, with search and pages.
import { EmptyState } from '../components/EmptyState.tsx';
import { EnrollmentList } from './office/EnrollmentList.tsx';
import { useEnrollmentsView } from './office/view.ts';

export function PendingEnrollments({ isFailureTold }: { isFailureTold: boolean }) {
  return (
    <EnrollmentList
      titleId="pending-enrollments"
      title="Pending Enrollment Requests"
      controls={useEnrollmentsView()}
      noun={{ one: 'request', many: 'requests' }}
      failed="Failed to load dashboard data. Please try again later."
      empty={<EmptyState icon="check" title="No pending enrollment requests at this time" />}
      isFailureTold={isFailureTold}
    />
  );
}
