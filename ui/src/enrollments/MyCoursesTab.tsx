// All enrollments of the signed-in student (section 2, My Courses).
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Link } from 'react-router';
import type { Enrollment } from '../api-types.ts';
import { EmptyState } from '../components/EmptyState.tsx';
import { Icon } from '../components/Icon.tsx';
import { LoadFailed } from '../components/LoadFailed.tsx';
import { Spinner } from '../components/Spinner.tsx';
import { paths } from '../paths.ts';
import { EnrollmentCard, type OwnStep } from './EnrollmentCard.tsx';
import { LeaveDialog } from './LeaveDialog.tsx';
import { inOrder } from './order.ts';
import { ownEnrollmentsQuery } from './queries.ts';
import { RefusePlaceDialog } from './RefusePlaceDialog.tsx';
import { WithdrawDialog } from './WithdrawDialog.tsx';
import './enrollments.css';

const dialogs = { withdraw: WithdrawDialog, leave: LeaveDialog, refuse: RefusePlaceDialog } satisfies Record<OwnStep, unknown>;

export function MyCoursesTab() {
  const enrollments = useQuery(ownEnrollmentsQuery);
  const [asking, setAsking] = useState<{ step: OwnStep; enrollment: Enrollment } | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const Dialog = dialogs[asking?.step ?? 'withdraw'];

  function finish() {
    // The closing dialog gives the focus back to a button that may be gone; this comes after.
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
            Choose a course and send a request: the office reads every one of them and writes to you as soon as it is
            approved.
          </p>
        </EmptyState>
      )}
      {enrollments.data && enrollments.data.length > 0 && (
        <ul className="grid cards cards-wide">
          {inOrder(enrollments.data).map((enrollment) => (
            <EnrollmentCard key={enrollment.id} enrollment={enrollment} onStep={(step) => setAsking({ step, enrollment })} />
          ))}
        </ul>
      )}
      {asking && <Dialog enrollment={asking.enrollment} onClose={() => setAsking(null)} onDone={finish} />}
    </>
  );
}
