// The catalogue page: search and a tab for each grade in its head, the courses, and the code legend.
import { useQuery } from '@tanstack/react-query';
import { type MouseEvent, type Ref, useEffect, useRef } from 'react';
import { Link } from 'react-router';
import type { Grade } from '../api-types.ts';
import { SearchBox } from '../components/SearchBox.tsx';
import { tabId, Tabs } from '../components/Tabs.tsx';
import { paths } from '../paths.ts';
import { When } from '../template.tsx';
import { CodeLegend } from './CodeLegend.tsx';
import { CoursesFailed } from './CoursesFailed.tsx';
import { GradeCourses } from './GradeCourses.tsx';
import { grades } from './grades.ts';
import { listingOf } from './listing.ts';
import { coursesQuery } from './queries.ts';
import { type CatalogueView, hrefOf, useCatalogueView } from './useCatalogueView.ts';
import '../components/PageHeader.css';
import '../components/bands.css';
import './CoursesPage.css';

const panelId = 'grade-panel';

export function CoursesPage() {
  const courses = useQuery(coursesQuery);
  const { view, showGrade, showLevel, showFilter, showAll } = useCatalogueView();
  const listing = courses.data && listingOf(courses.data, view);
  const panel = useRef<HTMLDivElement>(null);
  const search = useRef<HTMLInputElement>(null);
  const tabs = grades.map((grade, index) => ({ value: grade, label: <TabLabel grade={grade} count={listing?.found?.[index]} />, href: hrefOf({ ...view, grade }) }));

  // Keep what was typed before the script ran.
  useEffect(() => {
    const typed = search.current?.value ?? view.filter;
    if (typed !== view.filter) showFilter(typed);
  });

  async function retry() {
    const result = await courses.refetch();
    // The button is gone once the courses are loaded; the focus moves to them.
    if (result.isSuccess) panel.current?.focus();
  }

  function clear(event: MouseEvent) {
    event.preventDefault();
    showAll();
    search.current?.focus();
  }

  return (
    <>
      <div className="page-header catalogue-head">
        <div className="wrap">
          <div className="row">
            <h1>Course Catalogue</h1>
            <Search view={view} onFilter={showFilter} ref={search} />
          </div>
          <p className="muted">
            Every course is taught live by an Ontario-certified teacher. Fees differ for synchronous and asynchronous
            delivery: please <Link to={paths.contact('courses')}>contact the school</Link> for details.
          </p>
          <Tabs label="Grade" tabs={tabs} selected={view.grade} panelId={panelId} onSelect={showGrade} />
        </div>
      </div>
      <div className="wrap band catalogue">
        <div
          id={panelId}
          role="tabpanel"
          aria-labelledby={tabId(panelId, view.grade)}
          tabIndex={0}
          ref={panel}
        >
          {courses.isError ? (
            <CoursesFailed isRetrying={courses.isFetching} onRetry={() => void retry()} />
          ) : (
            <GradeCourses listing={listing} view={view} onLevel={showLevel} onClear={clear} />
          )}
        </div>
      </div>
      <CatalogueNotes />
    </>
  );
}

type SearchProps = { view: CatalogueView; onFilter: (filter: string) => void; ref: Ref<HTMLInputElement> };

/** A form: without scripts the server searches. */
function Search({ view: { grade, level, filter }, onFilter, ref }: SearchProps) {
  return (
    <form className="filter-form" action={paths.courses()} onSubmit={(event) => event.preventDefault()}>
      <input type="hidden" name="grade" value={grade} />
      <When is={level} template="level"><input type="hidden" name="level" value={level ?? ''} /></When>
      <SearchBox ref={ref} name="q" label="Search by name or code" value={filter} onChange={onFilter} />
    </form>
  );
}

/** With a filter, each tab shows its number of matches. */
function TabLabel({ grade, count }: { grade: Grade; count: number | undefined }) {
  return <><span>{`Grade ${grade}`}</span>{' '}<When is={count !== undefined} template="found"><small>{`(${count ?? ''})`}</small></When></>;
}

function CatalogueNotes() {
  return (
    <div className="band band-tint">
      <div className="wrap split split-even">
        <section className="prose" aria-labelledby="how-courses-run">
          <h2 id="how-courses-run">How Courses Run</h2>
          <p>
            Courses are taught synchronously, on a fixed live schedule, by Ontario-certified teachers. A full course
            has 110 hours of instruction, delivered over a Fall, Winter or Spring semester; a half-credit course has
            half as many.
          </p>
          <p>
            Students may join late and receive catch-up support. For a better mark they can take a shorter upgrade course at
            a reduced fee.
          </p>
          <p>
            <Link className="button button-outline" to={paths.contact('courses')}>Ask About a Course</Link>
          </p>
        </section>
        <CodeLegend />
      </div>
    </div>
  );
}
