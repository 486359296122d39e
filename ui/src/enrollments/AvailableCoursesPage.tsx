// Available Courses (section 2): the catalogue, with enrollment requests.
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Link } from 'react-router';
import type { Prefetch } from '../accounts/guards.ts';
import { useStudent } from '../accounts/signedIn.ts';
import { isSignedOut } from '../api.ts';
import type { Course } from '../api-types.ts';
import { EmptyState } from '../components/EmptyState.tsx';
import { LoadFailed } from '../components/LoadFailed.tsx';
import { PageHead } from '../components/PageHead.tsx';
import { paths } from '../paths.ts';
import { enrollmentIn } from './earlierEnrollments.ts';
import { gradeInView, filterAvailable } from './available.ts';
import { courseTitleId } from './AvailableCourse.tsx';
import { AvailableFilter } from './AvailableFilter.tsx';
import { AvailableGrades } from './AvailableGrades.tsx';
import { ownCreditsQuery, ownPrerequisitesQuery } from './creditQueries.ts';
import { CreditsTally } from './CreditsTally.tsx';
import { likelyGrade } from './diploma.ts';
import { EnrollDialog } from './EnrollDialog.tsx';
import { ownEnrollmentsQuery, pricedCoursesQuery } from './queries.ts';
import { isOpen } from './requestRules.ts';
import { allCourses, useAvailableView } from './useAvailableView.ts';
import './AvailableCourses.css';

export const prefetch: Prefetch = (client) => [
  client.prefetchQuery(pricedCoursesQuery), client.prefetchQuery(ownEnrollmentsQuery), client.prefetchQuery(ownCreditsQuery),
  client.prefetchQuery(ownPrerequisitesQuery),
];

export function AvailableCoursesPage() {
  const courses = useQuery(pricedCoursesQuery);
  const enrollments = useQuery(ownEnrollmentsQuery);
  const { data: credits } = useQuery(ownCreditsQuery);
  const { data: checks } = useQuery(ownPrerequisitesQuery);
  const { view, choose } = useAvailableView();
  const student = useStudent();
  const [enrolling, setEnrolling] = useState<Course | null>(null);
  const [asked, setAsked] = useState(askedSection);
  const [sectionId, setSectionId] = useState<number>();
  const list = useRef<HTMLDivElement>(null);
  const search = useRef<HTMLInputElement>(null);

  function finish({ id }: Course) {
    // The closing dialog returns the focus to a button that is now disabled; move it afterwards.
    flushSync(() => setEnrolling(null));
    document.getElementById(courseTitleId(id))?.focus();
  }

  function showAll() {
    // The button is gone afterwards.
    search.current?.focus();
    choose(allCourses);
  }

  /** A retry loads both: courses are of little use without enrollments. */
  const both = {
    isFetching: courses.isFetching || enrollments.isFetching,
    refetch: async () => (await Promise.all([courses.refetch(), enrollments.isError && enrollments.refetch()]))[0],
  };

  // The buttons' labels need the enrollments.
  const ready = enrollments.isPending ? undefined : courses.data;
  // A link from a course's page asks for one of its sections.
  if (asked && ready) {
    setAsked(null);
    const course = ready.find(({ code, isOpen: isOffered }) => code === asked.code && isOffered !== false);
    const earlier = course && enrollmentIn(enrollments.data ?? [], course);
    if (course && !(earlier && isOpen(earlier))) {
      setSectionId(asked.section);
      setEnrolling(course);
    }
  }
  const grade = gradeInView(view, likelyGrade(student, enrollments.data ?? []));
  const offer = ready && filterAvailable(ready, view, grade);
  return (
    <>
      <PageHead
        eyebrow="Student portal"
        title="Available Courses"
        actions={<Link className="button button-outline" to={paths.studentDashboard()}>Back to Dashboard</Link>}
      >
        <p>Choose a course and the dates that suit you; the office reviews every request.</p>
      </PageHead>
      {credits && !courses.isError && <CreditsTally credits={credits} />}
      {!courses.isError && <AvailableFilter view={view} grade={grade} offer={offer} searchRef={search} onChoose={choose} />}
      {enrollments.isError && !courses.isError && (
        <LoadFailed
          words="Failed to load your enrollments. Courses you have already requested are not marked."
          query={enrollments}
          heading={list}
        />
      )}
      <section className="available" ref={list} tabIndex={-1} aria-label="Courses">
        {isSignedOut(courses.error) ? (
          <NoCoursesWithoutLogin />
        ) : courses.isError ? (
          <LoadFailed words="Error loading courses. Please try again later." query={both} heading={list} />
        ) : (
          <AvailableGrades
            courses={ready}
            offer={offer}
            enrollments={enrollments.data ?? []}
            checks={checks}
            grade={grade}
            words={view.q}
            onEnroll={(course) => {
              setSectionId(undefined);
              setEnrolling(course);
            }}
            onShowAll={showAll}
          />
        )}
      </section>
      {enrolling && (
        <EnrollDialog
          course={enrolling}
          sectionId={sectionId}
          catalogue={courses.data ?? []}
          check={checks?.get(enrolling.id)}
          earlier={enrollmentIn(enrollments.data ?? [], enrolling)}
          onClose={() => setEnrolling(null)}
          onEnrolled={() => finish(enrolling)}
        />
      )}
    </>
  );
}

/** The section that a course's page linked to; null without one. */
function askedSection(): { code: string; section: number } | null {
  const parameters = new URLSearchParams(window.location.search);
  const section = Number(parameters.get('section'));
  return section > 0 ? { code: parameters.get('q') ?? '', section } : null;
}

/** Section 2 tolerates a 401 of the list. */
function NoCoursesWithoutLogin() {
  return (
    <>
      <h2 className="sr-only">Courses</h2>
      <EmptyState icon="book" title="No courses to show">
        <p>Please log in to see the courses you can enroll in.</p>
        {/* A full reload, so that the server is asked for the signed-in user. */}
        <Link className="button button-primary" reloadDocument to={paths.studentAuthTo(paths.studentCourses)}>Log In</Link>
      </EmptyState>
    </>
  );
}
