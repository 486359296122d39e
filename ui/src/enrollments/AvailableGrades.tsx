// The available courses under the heading of their grade, placeholders while they load, and the
// empty states.
import type { Course, Enrollment } from '../api-types.ts';
import { EmptyState } from '../components/EmptyState.tsx';
import { filterCourses } from '../courses/catalogue.ts';
import { CourseSkeletons } from '../courses/CourseCard.tsx';
import { grades, skeletonCount } from '../courses/grades.ts';
import { AvailableCourse } from './AvailableCourse.tsx';
import { enrollmentIn } from './earlier.ts';
import type { AvailableView } from './useAvailableView.ts';

type AvailableGradesProps = {
  /** Undefined while they load. */
  courses: Course[] | undefined;
  enrollments: Enrollment[];
  view: AvailableView;
  onEnroll: (course: Course) => void;
  onShowAll: () => void;
};

/** Stands between the page's heading and an empty state's, where no grade does. */
const hiddenHeading = <h2 className="sr-only">Courses</h2>;

export function AvailableGrades({ courses, enrollments, view, onEnroll, onShowAll }: AvailableGradesProps) {
  if (!courses) {
    return (
      <>
        <p role="status">Loading courses...</p>
        <CourseSkeletons count={skeletonCount(view.grade ?? 9)} />
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

  const groups = grades
    .filter((grade) => view.grade === null || view.grade === grade)
    .map((grade) => ({ grade, matching: filterCourses(courses, grade, view.q) }))
    .filter(({ matching }) => matching.length > 0);
  const count = groups.reduce((sum, { matching }) => sum + matching.length, 0);
  return (
    <>
      <p role="status">{count === 1 ? '1 course' : `${count} courses`}</p>
      {count === 0 && hiddenHeading}
      {count === 0 && <NoMatch view={view} onShowAll={onShowAll} />}
      {groups.map(({ grade, matching }) => (
        <section key={grade} aria-labelledby={`grade-${grade}`}>
          <h2 id={`grade-${grade}`}>Grade {grade}</h2>
          <ul className="grid cards">
            {matching.map((course) => (
              <AvailableCourse
                key={course.id}
                course={course}
                earlier={enrollmentIn(enrollments, course)}
                onEnroll={() => onEnroll(course)}
              />
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}

function NoMatch({ view, onShowAll }: { view: AvailableView; onShowAll: () => void }) {
  const words = view.q.trim();
  const where = view.grade ? ` in grade ${view.grade}` : '';
  return (
    <EmptyState icon="search" title={words ? `No course matches “${words}”${where}` : `No courses${where} at this time`}>
      <p>Try another word or another grade.</p>
      <button type="button" className="button button-outline" onClick={onShowAll}>Show All Courses</button>
    </EmptyState>
  );
}
