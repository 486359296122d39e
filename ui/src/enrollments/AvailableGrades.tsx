// The available courses by grade and subject, with placeholders and empty states.
import type { Course, Enrollment, Grade, PrerequisiteCheck } from '../api-types.ts';
import { EmptyState } from '../components/EmptyState.tsx';
import { CourseSkeletons } from '../courses/CourseSkeletons.tsx';
import { skeletonCount } from '../courses/grades.ts';
import type { AvailableCourses } from './available.ts';
import { AvailableCourse } from './AvailableCourse.tsx';
import { enrollmentIn } from './earlierEnrollments.ts';

type AvailableGradesProps = {
  /** Undefined while they load. */
  courses: Course[] | undefined;
  offer: AvailableCourses | undefined;
  enrollments: Enrollment[];
  /** Prerequisite checks by course id; undefined while loading. */
  checks: ReadonlyMap<number, PrerequisiteCheck> | undefined;
  grade: Grade | null;
  words: string;
  onEnroll: (course: Course) => void;
  onShowAll: () => void;
};

/** Heading level between the page's and an empty state's, if there is no grade heading. */
const hiddenHeading = <h2 className="sr-only">Courses</h2>;

export function AvailableGrades({ courses, offer, enrollments, checks, grade, words, onEnroll, onShowAll }: AvailableGradesProps) {
  if (!courses || !offer) {
    return (
      <>
        <p role="status">Loading courses...</p>
        <CourseSkeletons count={skeletonCount(grade ?? 9)} />
      </>
    );
  }
  if (courses.length === 0) {
    return (
      <>
        {hiddenHeading}
        <EmptyState icon="book" title="No courses are offered at this time">
          <p>Please look again later, or ask the office.</p>
        </EmptyState>
      </>
    );
  }
  const { count, groups } = offer;
  return (
    <>
      <p role="status">{count === 1 ? '1 course' : `${count} courses`}</p>
      {count === 0 && hiddenHeading}
      {count === 0 && <NoMatch grade={grade} words={words.trim()} onShowAll={onShowAll} />}
      {groups.map((group) => (
        <section key={group.grade} aria-labelledby={`grade-${group.grade}`}>
          <h2 id={`grade-${group.grade}`}>{`Grade ${group.grade}`}</h2>
          {group.subjects.map(({ subject, courses: some }) => (
            <div key={subject}>
              <h3>{subject}</h3>
              <ul className="grid offers">
                {some.map((course) => (
                  <AvailableCourse
                    key={course.id}
                    course={course}
                    catalogue={courses}
                    check={checks?.get(course.id)}
                    earlier={enrollmentIn(enrollments, course)}
                    onEnroll={() => onEnroll(course)}
                  />
                ))}
              </ul>
            </div>
          ))}
        </section>
      ))}
    </>
  );
}

function NoMatch({ grade, words, onShowAll }: { grade: Grade | null; words: string; onShowAll: () => void }) {
  const where = grade ? ` in grade ${grade}` : '';
  return (
    <EmptyState icon="search" title={words ? `No course matches “${words}”${where}` : `No courses${where} at this time`}>
      <p>Try another word or another grade.</p>
      <button type="button" className="button button-outline" onClick={onShowAll}>Show All Courses</button>
    </EmptyState>
  );
}
