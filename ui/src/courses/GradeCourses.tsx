// The courses of one grade, with a filter by name or code, placeholders while they load, and
// both empty states.
import { type MouseEvent, useEffect, useRef } from 'react';
import type { Course, Grade } from '../api-types.ts';
import { SearchBox } from '../components/SearchBox.tsx';
import { paths } from '../paths.ts';
import { Each, isTemplate, When } from '../template.tsx';
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

  // Somebody may have typed before the script ran.
  useEffect(() => {
    const typed = input.current?.value ?? filter;
    if (typed !== filter) onFilter(typed);
  });

  function clear(event: MouseEvent) {
    event.preventDefault();
    onFilter('');
    input.current?.focus();
  }

  return (
    <When is={total !== 0} template="total" otherwise={<NoCourses grade={grade} />}>
      <div className="row grade-head">
        <h2>Grade {grade} Courses</h2>
        <p className="muted" role="status">{matching && total ? countText(matching.length, total) : 'Loading…'}</p>
        {/* A form for a page whose script has not run: the server filters then. */}
        <form className="filter-form" action={paths.courses()} onSubmit={(event) => event.preventDefault()}>
          <input type="hidden" name="grade" value={grade} />
          <SearchBox ref={input} name="q" label="Filter by name or code" value={filter} onChange={onFilter} />
        </form>
      </div>
      {matching ? (
        <When is={matching.length > 0} template="courses" otherwise={<NoMatch grade={grade} filter={filter.trim()} onClear={clear} />}>
          <ul className="grid cards">
            <Each of={matching} template="course in courses">
              {(course) => <CourseCard key={course.id} course={course} />}
            </Each>
          </ul>
        </When>
      ) : (
        <CourseSkeletons count={skeletonCount(grade)} />
      )}
    </When>
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

type NoMatchProps = { grade: Grade; filter: string; onClear: (event: MouseEvent) => void };

function NoMatch({ grade, filter, onClear }: NoMatchProps) {
  return (
    <div className="empty">
      <h3>No course matches “{filter}”</h3>
      <p>Try another word, or look in another grade.</p>
      <a className="button button-outline" href={paths.courses(grade)} onClick={onClear}>Clear the Filter</a>
    </div>
  );
}

function countText(matching: number, total: number): string {
  if (isTemplate) return '{{ count }}';
  if (matching !== total) return `${matching} of ${total} courses`;
  return total === 1 ? '1 course' : `${total} courses`;
}
