// The courses of one grade, with a filter by name or code, placeholders while they load, and
// both empty states.
import { useRef } from 'react';
import type { Course } from '../api-types.ts';
import { SearchBox } from '../components/SearchBox.tsx';
import { filterCourses } from './catalogue.ts';
import { CourseCard, CourseSkeletons } from './CourseCard.tsx';
import { skeletonCount } from './grades.ts';
import type { CatalogueView } from './useCatalogueView.ts';
import '../components/EmptyState.css';

type GradeCoursesProps = {
  /** Undefined while the catalogue loads. */
  courses: Course[] | undefined;
  view: CatalogueView;
  onFilter: (filter: string) => void;
};

export function GradeCourses({ courses, view, onFilter }: GradeCoursesProps) {
  const { grade, filter } = view;
  const input = useRef<HTMLInputElement>(null);
  const total = courses && filterCourses(courses, grade, '').length;
  const matching = courses && filterCourses(courses, grade, filter);

  function clear() {
    onFilter('');
    input.current?.focus();
  }

  if (total === 0) return <NoCourses grade={grade} />;
  return (
    <>
      <div className="row grade-head">
        <h2>Grade {grade} Courses</h2>
        <p className="muted" role="status">{matching && total ? countText(matching.length, total) : 'Loading…'}</p>
        <SearchBox ref={input} label="Filter by name or code" value={filter} onChange={onFilter} />
      </div>
      {!matching && <CourseSkeletons count={skeletonCount(grade)} />}
      {matching && matching.length > 0 && (
        <ul className="grid cards">
          {matching.map((course) => <CourseCard key={course.id} course={course} />)}
        </ul>
      )}
      {matching?.length === 0 && <NoMatch filter={filter.trim()} onClear={clear} />}
    </>
  );
}

function NoCourses({ grade }: { grade: number }) {
  return (
    <div className="empty">
      <h2>No Grade {grade} courses at this time</h2>
      <p>The school has not listed any yet. Please look at the other grades, or ask the office.</p>
    </div>
  );
}

function NoMatch({ filter, onClear }: { filter: string; onClear: () => void }) {
  return (
    <div className="empty">
      <h3>No course matches “{filter}”</h3>
      <p>Try another word, or look in another grade.</p>
      <button type="button" className="button button-outline" onClick={onClear}>Clear the Filter</button>
    </div>
  );
}

function countText(matching: number, total: number): string {
  if (matching !== total) return `${matching} of ${total} courses`;
  return total === 1 ? '1 course' : `${total} courses`;
}
