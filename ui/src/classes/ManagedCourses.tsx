// The office's courses as a table or as cards.
import type { CourseRow } from '../api-types.ts';
import { EmptyState } from '../components/EmptyState.tsx';
import type { CourseActs } from './CourseActions.tsx';
import type { Sort } from './courseOrder.ts';
import { CourseTable } from './CourseTable.tsx';
import { ManagedCourseCard } from './ManagedCourseCard.tsx';
import { coursesInView, type ManagedView } from './useManagedView.ts';

type ManagedCoursesProps = {
  courses: readonly CourseRow[];
  view: ManagedView;
  onSort: (sort: Sort) => void;
  showEverything: () => void;
  acts: CourseActs;
};

export function ManagedCourses({ courses, view, onSort, showEverything, acts }: ManagedCoursesProps) {
  const shown = coursesInView(courses, view);
  if (courses.length === 0) {
    return (
      <EmptyState icon="book" title="The catalogue has no courses yet">
        <p>{acts ? 'Add the first one with “Add New Course”, import a spreadsheet, or begin with the sample of 158 Ontario courses.' : 'They will be listed here.'}</p>
        {acts && <button type="button" className="button button-outline" onClick={acts.importSample}>Use the Sample of 158 Courses</button>}
      </EmptyState>
    );
  }
  if (shown.length === 0) {
    return (
      <EmptyState icon="search" title="No course matches your search">
        <p>Try a course code or part of a name.</p>
        <button type="button" className="button button-outline" onClick={showEverything}>Show All Courses</button>
      </EmptyState>
    );
  }
  if (view.look === 'cards') {
    return <ul className="grid">{shown.map((course) => <ManagedCourseCard key={course.id} course={course} acts={acts} />)}</ul>;
  }
  return <CourseTable courses={shown} sort={view.sort} onSort={onSort} acts={acts} />;
}
