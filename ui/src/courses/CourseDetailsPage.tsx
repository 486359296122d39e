// The page of a course: description, prerequisites, what it leads to, and how to enroll.
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Link, useLocation } from 'react-router';
import type { CourseDetails, ArchivedCourse } from '../api-types.ts';
import { NotFoundPage } from '../components/NotFoundPage.tsx';
import { PageHeader } from '../components/PageHeader.tsx';
import { paths } from '../paths.ts';
import { CodeParts } from './CodeParts.tsx';
import { CourseFacts } from './CourseFacts.tsx';
import { codeIn } from './courseKey.ts';
import { CourseLinks } from './CourseLinks.tsx';
import { CourseSections } from './CourseSections.tsx';
import { CourseEntry, LeadsTo } from './CoursePathway.tsx';
import { CoursesFailed } from './CoursesFailed.tsx';
import { courseQuery } from './queries.ts';
import '../components/bands.css';
import './CourseDetails.css';

export function CourseDetailsPage() {
  // The address's code, valid or not: an invalid one is not found.
  const code = codeIn(useLocation().pathname) ?? '';
  const query = useQuery(courseQuery(code));
  const course = query.data;
  const isUnknown = course !== undefined && !('name' in course);
  useEffect(() => {
    // The focused heading is gone.
    if (isUnknown && document.activeElement === document.body) document.querySelector<HTMLElement>('main')?.focus();
  }, [isUnknown]);
  if (isUnknown) return <NotFoundPage />;

  return (
    <article>
      {/* One heading throughout: it has the focus while the course is loading. */}
      <PageHeader eyebrow={course ? <CourseTrail course={course} /> : 'Course Catalogue'} title={course?.name ?? code.toUpperCase()}>
        {course && ('successors' in course ? 'This course is no longer offered.' : course.description)}
      </PageHeader>
      {course && 'successors' in course && <Archived course={course} />}
      {course && 'prerequisites' in course && <Offered course={course} />}
      {!course && (
        <div className="wrap band course-loading">
          {query.isError ? (
            <CoursesFailed what="the course" isRetrying={query.isFetching} onRetry={() => void query.refetch()} />
          ) : (
            <p role="status">Loading the course...</p>
          )}
        </div>
      )}
    </article>
  );
}

function CourseTrail({ course: { code, grade } }: { course: Pick<CourseDetails, 'code' | 'grade'> }) {
  return <><Link to={paths.courses(grade)}>{`Grade ${grade} courses`}</Link><span>{` · ${code}`}</span></>;
}

function Offered({ course }: { course: CourseDetails }) {
  return (
    <div className="wrap band split course-details">
      <CourseFacts course={course} />
      <div className="stack">
        <CourseSections course={course} />
        <CourseEntry course={course} />
        <LeadsTo course={course} />
        <CodeParts course={course} />
      </div>
    </div>
  );
}

function Archived({ course }: { course: ArchivedCourse }) {
  return (
    <div className="wrap band">
      <div className="prose">
        <CourseLinks courses={course.successors} template="link in course.successors">
          <h2>{course.advice}</h2>
        </CourseLinks>
        <p className="cluster">
          <Link className="button button-primary" to={paths.courses(course.grade)}>{`See the Grade ${course.grade} Courses`}</Link>
          <Link className="button button-outline" to={paths.contact('courses')}>Ask the School</Link>
        </p>
      </div>
    </div>
  );
}
