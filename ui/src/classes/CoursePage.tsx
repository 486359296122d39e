// A course in the office: seats, waiting list and class list.
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { Link, useNavigate, useParams } from 'react-router';
import type { Prefetch } from '../accounts/guards.ts';
import { useUser } from '../accounts/signedIn.ts';
import { ApiError } from '../api.ts';
import type { CourseWithWaitlist } from '../api-types.ts';
import { EmptyState } from '../components/EmptyState.tsx';
import { LoadFailed } from '../components/LoadFailed.tsx';
import { Notice } from '../components/Notice.tsx';
import { PageHead } from '../components/PageHead.tsx';
import { Spinner } from '../components/Spinner.tsx';
import { list_fresh_ms } from '../components/useListView.ts';
import { usePartLater } from '../components/usePartLater.ts';
import { officePaths } from '../officePaths.ts';
import { BringBack } from './ArchivedCourses.tsx';
import { ClassList } from './ClassList.tsx';
import { CourseDialogs, type OpenDialog } from './CourseDialogs.tsx';
import { CourseSeats } from './CourseSeats.tsx';
import { classListQuery, managedCourseQuery } from './queries.ts';
import { Waitlist } from './Waitlist.tsx';
import './CoursePage.css';

export const prefetch: Prefetch = (client, _, { id }) => [
  client.prefetchQuery(managedCourseQuery(Number(id))),
  client.prefetchQuery(classListQuery(Number(id))),
];

export function CoursePage() {
  const id = Number(useParams().id);
  const query = useQuery({ ...managedCourseQuery(id), staleTime: list_fresh_ms });
  const heading = useRef<HTMLHeadingElement>(null);
  const course = query.data;
  if (course) return <LoadedCourse course={course} />;
  const isGone = query.error instanceof ApiError && query.error.status === 404;

  return (
    <>
      <PageHead ref={heading} eyebrow="Records" title="Course" actions={<BackToCourses />} />
      {query.isPending && <Spinner label="Loading the course..." />}
      {isGone && <EmptyState icon="book" title="Course not found"><p>It may have been deleted, or the address may be wrong.</p></EmptyState>}
      {query.isError && !isGone && <LoadFailed words="Failed to load the course. Please try again later." query={query} heading={heading} />}
    </>
  );
}

/** Refetches the page to show what was saved. */
const stay = () => {};

const BackToCourses = () => <Link className="button button-outline" to={officePaths.courses}>Back to Courses</Link>;

function LoadedCourse({ course }: { course: CourseWithWaitlist }) {
  const { duties } = useUser();
  const mayChange = duties.includes('courses');
  const [open, setOpen] = useState<OpenDialog | null>(null);
  const navigate = useNavigate();
  const sections = usePartLater(() => import('./CourseSections.tsx'), course.sections.length > 0);
  const changes = { created: stay, updated: stay, deleted: () => void navigate(officePaths.courses) };

  return (
    <>
      <PageHead
        eyebrow="Records"
        title={course.name}
        actions={
          <>
            <BackToCourses />
            {duties.includes('audit') && (
              <Link className="button button-quiet" to={`${officePaths.audit}?object=course&objectId=${course.id}`}>History in the Audit</Link>
            )}
            {mayChange && !course.archivedAt && (
              <>
                <button type="button" className="button button-quiet" onClick={() => setOpen({ kind: 'delete', course })}>Delete Course</button>
                <button type="button" className="button button-primary" onClick={() => setOpen({ kind: 'update', course })}>Edit Course</button>
              </>
            )}
          </>
        }
      >
        <p>{`${course.code} · Grade ${course.grade} · ${course.courseType}${course.isCompulsory ? ' · Compulsory' : ''}`}</p>
      </PageHead>
      {course.archivedAt && (
        <Notice kind="plain">
          <p>This course is archived. Families and students no longer see it; its class list stays.</p>
          {mayChange && <BringBack course={course} />}
        </Notice>
      )}
      <div className="stack course-page">
        <CourseSeats course={course} />
        {course.sections.length > 0 && sections && <sections.CourseSections sections={course.sections} />}
        {course.waitlist.length > 0 && <Waitlist waiting={course.waitlist} />}
        <ClassList course={course} />
      </div>
      <CourseDialogs open={open} changes={changes} onClose={(which) => setOpen((now) => (now === which ? null : now))} />
    </>
  );
}
