// Current Courses (section 2): the first three enrollments, for the overview.
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { Link } from 'react-router';
import type { Enrollment } from '../api-types.ts';
import { LoadFailed } from '../components/LoadFailed.tsx';
import { Spinner } from '../components/Spinner.tsx';
import { StatusBadge } from '../components/StatusBadge.tsx';
import { dateText, today } from '../dates.ts';
import { paths } from '../paths.ts';
import { CourseProgress } from './CourseProgress.tsx';
import { DaysRemaining } from './DaysRemaining.tsx';
import { counts, isPendingRequest } from './requestRules.ts';
import { inOverview } from './enrollmentOrder.ts';
import { progress } from './progress.ts';
import { ownEnrollmentsQuery } from './queries.ts';
import '../courses/CourseCard.css';
import './enrollments.css';

/** Section 9. */
const most_shown = 3;

export function CurrentCourses() {
  const enrollments = useQuery(ownEnrollmentsQuery);
  const heading = useRef<HTMLHeadingElement>(null);

  return (
    <section className="card" aria-labelledby="current-courses">
      <div className="row card-head">
        <h2 id="current-courses" ref={heading} tabIndex={-1}>Current Courses</h2>
        <Link className="card-link" to={paths.studentDashboard('courses')}>View all</Link>
      </div>
      {enrollments.isPending && <Spinner label="Loading your courses..." />}
      {enrollments.isError && (
        <LoadFailed words="Failed to load your courses. Please try again later." query={enrollments} heading={heading} />
      )}
      {enrollments.data?.length === 0 && (
        <p className="muted">
          You have not requested any courses yet. <Link to={paths.studentCourses}>Browse the available courses</Link> and
          send your first request.
        </p>
      )}
      {enrollments.data && enrollments.data.length > 0 && (
        <ul className="rows course-rows">
          {inOverview(enrollments.data, most_shown).map((enrollment) => <CourseRow key={enrollment.id} enrollment={enrollment} />)}
        </ul>
      )}
    </section>
  );
}

function CourseRow({ enrollment }: { enrollment: Enrollment }) {
  const { course, status, startDate } = enrollment;
  const day = today();
  return (
    <li>
      <div>
        <p className="cluster course-code">{`${course.code} · Grade ${course.grade}`}</p>
        <h3 dir="auto">{course.name}</h3>
        {status === 'waitlisted' && enrollment.offeredUntil && <Link to={paths.studentDashboard('courses')}>A place is free for you: take it or decline it</Link>}
      </div>
      <StatusBadge status={status} />
      {counts(enrollment) && <CourseProgress code={course.code} percent={progress(enrollment, day)} isTentative={isPendingRequest(enrollment)} />}
      <dl>
        <div><dt>Starts</dt><dd>{dateText(startDate, 'Not set')}</dd></div>
        <div><dt>Days remaining</dt><dd><DaysRemaining enrollment={enrollment} day={day} /></dd></div>
      </dl>
    </li>
  );
}
