// The courses of one grade by subject, with filters, placeholders and both empty states. A search without a match in
// the grade shows the matches of the other grades.
import type { MouseEvent } from 'react';
import type { CourseType } from '../api-types.ts';
import { onPlainClick } from '../components/Tabs.tsx';
import { paths } from '../paths.ts';
import { Each, isTemplate, When } from '../template.tsx';
import { CourseCard } from './CourseCard.tsx';
import { CourseSkeletons } from './CourseSkeletons.tsx';
import { skeletonCount } from './grades.ts';
import { LevelLetter } from './Level.tsx';
import type { CourseGroup, LevelOption, Listing } from './listing.ts';
import type { CatalogueView } from './useCatalogueView.ts';
import '../components/Chips.css';
import '../components/EmptyState.css';

type GradeCoursesProps = {
  /** Undefined while the catalogue loads. */
  listing: Listing | undefined;
  view: CatalogueView;
  onLevel: (level: CourseType | null) => void;
  onClear: (event: MouseEvent) => void;
};

export function GradeCourses({ listing, view, onLevel, onClear }: GradeCoursesProps) {
  const { grade } = view;
  return (
    <When is={listing?.total !== 0} template="total" otherwise={<NoCourses grade={grade} />}>
      <div className="row grade-head">
        <h2>{`Grade ${grade} Courses`}</h2>
        <p className="muted" role="status">{listing?.count ?? 'Loading…'}</p>
        <a className="screen-only" href="#legend" onClick={(event) => onPlainClick(event, () => goTo('legend'))}>Reading a code</a>
      </div>
      {listing ? (
        <>
          <When is={listing.levels.length > 0} template="levels"><Levels levels={listing.levels} onChoose={onLevel} /></When>
          <When is={listing.subjects.length > 0} template="subjects" otherwise={<NoMatch view={view} elsewhere={listing.elsewhere} onClear={onClear} />}>
            <Subjects subjects={listing.subjects} />
          </When>
        </>
      ) : (
        <CourseSkeletons count={skeletonCount(grade)} list="offer-rows" />
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
          <Each of={subjects} template="group in subjects">
            {({ name, anchor }) => (
              <li key={anchor}><a href={`#${anchor}`} onClick={(event) => onPlainClick(event, () => goTo(anchor))}>{name}</a></li>
            )}
          </Each>
        </ul>
      </nav>
      <Groups of={subjects} template="subjects" />
    </div>
  );
}

function Groups({ of, template }: { of: CourseGroup[]; template: keyof Listing }) {
  return (
    <div className="groups">
      <Each of={of} template={`group in ${template}`}>
        {({ name, anchor, courses }) => (
          <section key={anchor} aria-labelledby={anchor}>
            <h3 id={anchor} tabIndex={-1}>{name}</h3>
            <ul className="offer-rows">
              <Each of={courses} template="course in group.courses">
                {(course) => <CourseCard key={course.id} course={course} />}
              </Each>
            </ul>
          </section>
        )}
      </Each>
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

type NoMatchProps = Pick<GradeCoursesProps, 'view' | 'onClear'> & Pick<Listing, 'elsewhere'>;

function NoMatch({ view: { grade, level, filter }, elsewhere, onClear }: NoMatchProps) {
  return (
    <div className="no-match">
      <div className="empty centred">
        <h3>
          <When is={filter.trim()} template="words" otherwise={<span>{`No ${level ?? ''} courses in Grade ${grade}`}</span>}>
            <span>{`No Grade ${grade} course matches “${isTemplate ? filter : filter.trim()}”`}</span>
          </When>
        </h3>
        <When is={elsewhere.length > 0} template="elsewhere" otherwise={<p>Try other words or another level.</p>}>
          <p>Other grades have courses that match.</p>
        </When>
        <a className="button button-outline" href={paths.courses(grade)} onClick={onClear}>{`Show All Grade ${grade} Courses`}</a>
      </div>
      <Groups of={elsewhere} template="elsewhere" />
    </div>
  );
}
