// The grid of the office's courses.
import type { Course } from '../api-types.ts';
import { EmptyState } from '../components/EmptyState.tsx';
import { ManagedCourseCard } from './ManagedCourseCard.tsx';
import { coursesInView, type ManagedView } from './useManagedView.ts';

type ManagedCoursesProps = {
  courses: readonly Course[];
  view: ManagedView;
  showEverything: () => void;
  /** Absent for a role that may only read. */
  actions: { edit: (course: Course) => void; remove: (course: Course) => void } | null;
};

export function ManagedCourses({ courses, view, showEverything, actions }: ManagedCoursesProps) {
  const shown = coursesInView(courses, view);
  if (courses.length === 0) {
    return (
      <EmptyState icon="book" title="The catalogue has no courses yet">
        <p>{actions ? 'Add the first one with “Add New Course”.' : 'They will be listed here.'}</p>
      </EmptyState>
    );
  }
  if (shown.length === 0) {
    return (
      <EmptyState icon="search" title="No course matches your search">
        <p>Try a code or a part of a name.</p>
        <button type="button" className="button button-outline" onClick={showEverything}>Show All Courses</button>
      </EmptyState>
    );
  }
  return (
    <ul className="grid">
      {shown.map((course) => <ManagedCourseCard key={course.id} course={course} actions={actions} />)}
    </ul>
  );
}
