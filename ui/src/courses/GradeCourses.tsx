// The courses of one grade by subject, with filters, placeholders and both empty states.
import { type MouseEvent, useEffect, useRef } from 'react';
import type { Course, CourseType } from '../api-types.ts';
import { SearchBox } from '../components/SearchBox.tsx';
import { onPlainClick } from '../components/Tabs.tsx';
import { paths } from '../paths.ts';
import { Each, isTemplate, When } from '../template.tsx';
import { CourseCard } from './CourseCard.tsx';
import { CourseSkeletons } from './CourseSkeletons.tsx';
import { skeletonCount } from './grades.ts';
import { LevelLetter } from './Level.tsx';
import { type LevelOption, type Listing, listingOf } from './listing.ts';
import type { CatalogueView } from './useCatalogueView.ts';
import '../components/Chips.css';
import '../components/EmptyState.css';

type GradeCoursesProps = {
  /** Undefined while the catalogue loads. */
  courses: Course[] | undefined;
  view: CatalogueView;
  onFilter: (filter: string) => void;
  onLevel: (level: CourseType | null) => void;
  onAll: () => void;
};

export function GradeCourses({ courses, view, onFilter, onLevel, onAll }: GradeCoursesProps) {
  const { grade, level, filter } = view;
  const input = useRef<HTMLInputElement>(null);
  const listing = courses && listingOf(courses, view);

  // Keep what was typed before the script ran.
  useEffect(() => {
    const typed = input.current?.value ?? filter;
    if (typed !== filter) onFilter(typed);
  });

  function clear(event: MouseEvent) {
    event.preventDefault();
    onAll();
    input.current?.focus();
  }

  return (
    <When is={listing?.total !== 0} template="total" otherwise={<NoCourses grade={grade} />}>
      <div className="row grade-head">
        <h2>{`Grade ${grade} Courses`}</h2>
        <p className="muted" role="status">{listing?.count ?? 'Loading…'}</p>
        <a className="screen-only" href="#legend" onClick={(event) => onPlainClick(event, () => goTo('legend'))}>Reading a code</a>
        {/* A form for a page whose script has not run: the server filters then. */}
        <form className="filter-form" action={paths.courses()} onSubmit={(event) => event.preventDefault()}>
          <input type="hidden" name="grade" value={grade} />
          <When is={level} template="level"><input type="hidden" name="level" value={level ?? ''} /></When>
          <SearchBox ref={input} name="q" label="Search by name or code" value={filter} onChange={onFilter} />
        </form>
      </div>
      {listing ? (
        <>
          <When is={listing.levels.length > 0} template="levels"><Levels levels={listing.levels} onChoose={onLevel} /></When>
          <When is={listing.subjects.length > 0} template="subjects" otherwise={<NoMatch view={view} onClear={clear} />}>
            <Subjects subjects={listing.subjects} />
          </When>
        </>
      ) : (
        <CourseSkeletons count={skeletonCount(grade)} />
      )}
    </When>
  );
}

function Levels({ levels, onChoose }: { levels: LevelOption[]; onChoose: (level: CourseType | null) => void }) {
  return (
    <ul className="chips" aria-label="Level">
      <Each of={levels} template="level in levels">
        {({ level, letter, name, count, href, isChosen }) => (
          <li key={name}>
            <a href={href} aria-current={isChosen} onClick={(event) => onPlainClick(event, () => onChoose(level))}>
              <When is={letter} template="level.letter"><LevelLetter letter={letter} /></When>
              <span>{`${name} `}</span><small>{count}</small>
            </a>
          </li>
        )}
      </Each>
    </ul>
  );
}

function Subjects({ subjects }: Pick<Listing, 'subjects'>) {
  return (
    <div className="subjects">
      <nav aria-label="Subjects">
        <ul>
          <Each of={subjects} template="subject in subjects">
            {({ name, anchor }) => (
              <li key={anchor}><a href={`#${anchor}`} onClick={(event) => onPlainClick(event, () => goTo(anchor))}>{name}</a></li>
            )}
          </Each>
        </ul>
      </nav>
      <div>
        <Each of={subjects} template="subject in subjects">
          {({ name, anchor, courses }) => (
            <section key={anchor} aria-labelledby={anchor}>
              <h3 id={anchor} tabIndex={-1}>{name}</h3>
              <ul className="grid offers">
                <Each of={courses} template="course in subject.courses">
                  {(course) => <CourseCard key={course.id} course={course} />}
                </Each>
              </ul>
            </section>
          )}
        </Each>
      </div>
    </div>
  );
}

/** Scrolls to a heading without a history entry. */
function goTo(anchor: string) {
  const heading = document.getElementById(anchor);
  heading?.scrollIntoView();
  heading?.focus({ preventScroll: true });
}

function NoCourses({ grade }: { grade: number }) {
  return (
    <div className="empty centred">
      <h2>{`No Grade ${grade} courses at this time`}</h2>
      <p>Please look at the other grades, or ask the office.</p>
    </div>
  );
}

function NoMatch({ view: { grade, level, filter }, onClear }: { view: CatalogueView; onClear: (event: MouseEvent) => void }) {
  return (
    <div className="empty centred">
      <h3>
        <When is={filter.trim()} template="words" otherwise={<span>{`No ${level ?? ''} courses in Grade ${grade}`}</span>}>
          <span>{`No course matches “${isTemplate ? filter : filter.trim()}”`}</span>
        </When>
      </h3>
      <p>Try other words, another level or grade.</p>
      <a className="button button-outline" href={paths.courses(grade)} onClick={onClear}>{`Show All Grade ${grade} Courses`}</a>
    </div>
  );
}
