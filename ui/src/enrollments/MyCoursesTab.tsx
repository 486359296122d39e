// The student's enrollments (section 2, My Courses).
import { useQuery } from '@tanstack/react-query';
import { type ComponentType, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Link } from 'react-router';
import { failureWords } from '../api.ts';
import type { Enrollment } from '../api-types.ts';
import { EmptyState } from '../components/EmptyState.tsx';
import { Icon } from '../components/Icon.tsx';
import { LoadFailed } from '../components/LoadFailed.tsx';
import { loadPart } from '../components/loadPart.ts';
import { Spinner } from '../components/Spinner.tsx';
import { showFailure } from '../components/toasts.ts';
import { useAction } from '../components/useAction.ts';
import { paths } from '../paths.ts';
import { EnrollmentCard, type OwnAction } from './EnrollmentCard.tsx';
import { sortEnrollments } from './enrollmentOrder.ts';
import { ownEnrollmentsQuery } from './queries.ts';
import './enrollments.css';

type StepDialog = ComponentType<{ enrollment: Enrollment; onClose: () => void; onDone: () => void }>;

/** Lazy-loaded, since they are rarely used. */
const dialogs: Record<OwnAction, () => Promise<StepDialog>> = {
  withdraw: async () => (await import('./WithdrawDialog.tsx')).WithdrawDialog,
  leave: async () => (await import('./LeaveDialog.tsx')).LeaveDialog,
  refuse: async () => (await import('./RefusePlaceDialog.tsx')).RefusePlaceDialog,
};

export function MyCoursesTab() {
  const enrollments = useQuery(ownEnrollmentsQuery);
  const [asking, setAsking] = useState<{ Dialog: StepDialog; enrollment: Enrollment } | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const opening = useAction({
    mutationFn: ({ step }: { step: OwnAction; enrollment: Enrollment }) => loadPart(dialogs[step]),
    onSuccess: (Dialog, { enrollment }) => setAsking({ Dialog, enrollment }),
    onError: (error) => showFailure('That could not be opened', failureWords(error, error.message)),
  });

  function finish() {
    // The closing dialog returns the focus to a button that may be gone; move it afterwards.
    flushSync(() => setAsking(null));
    heading.current?.focus();
  }

  return (
    <>
      <header className="row panel-head">
        <h2 ref={heading} tabIndex={-1}>My Courses</h2>
        <Link className="button button-primary" to={paths.studentCourses}>
          <Icon name="plus" /> Enroll in New Course
        </Link>
      </header>
      {enrollments.isPending && <Spinner label="Loading your courses..." />}
      {enrollments.isError && (
        <LoadFailed words="Failed to load your courses. Please try again later." query={enrollments} heading={heading} />
      )}
      {enrollments.data?.length === 0 && (
        <EmptyState icon="cap" title="No courses yet">
          <p>
            Choose a course and send a request. The office reviews every request and emails you once yours is approved.
          </p>
        </EmptyState>
      )}
      {enrollments.data && enrollments.data.length > 0 && (
        <ul className="grid cards cards-wide">
          {sortEnrollments(enrollments.data).map((enrollment) => (
            <EnrollmentCard key={enrollment.id} enrollment={enrollment} onStep={(step) => opening.run({ step, enrollment })} />
          ))}
        </ul>
      )}
      {asking && <asking.Dialog enrollment={asking.enrollment} onClose={() => setAsking(null)} onDone={finish} />}
    </>
  );
}
