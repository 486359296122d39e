// The catalogue page: a tab for each grade, a filter, and the code legend.
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { Link } from 'react-router';
import type { Grade } from '../api-types.ts';
import { PageHeader } from '../components/PageHeader.tsx';
import { tabId, Tabs } from '../components/Tabs.tsx';
import { paths } from '../paths.ts';
import { When } from '../template.tsx';
import { CodeLegend } from './CodeLegend.tsx';
import { CoursesFailed } from './CoursesFailed.tsx';
import { GradeCourses } from './GradeCourses.tsx';
import { grades } from './grades.ts';
import { foundIn } from './listing.ts';
import { coursesQuery } from './queries.ts';
import { hrefOf, useCatalogueView } from './useCatalogueView.ts';
import '../components/bands.css';
import './CoursesPage.css';

const panelId = 'grade-panel';

export function CoursesPage() {
  const courses = useQuery(coursesQuery);
  const { view, showGrade, showLevel, showFilter, showAll } = useCatalogueView();
  const found = courses.data && foundIn(courses.data, view);
  const panel = useRef<HTMLDivElement>(null);
  const tabs = grades.map((grade, index) => ({ value: grade, label: <TabLabel grade={grade} count={found?.[index]} />, href: hrefOf({ ...view, grade }) }));

  async function retry() {
    const result = await courses.refetch();
    // The button is gone once the courses are loaded; the focus moves to them.
    if (result.isSuccess) panel.current?.focus();
  }

  return (
    <>
      <PageHeader eyebrow="OSSD credit courses" title="Course Catalogue">
        Every course is taught live by an Ontario-certified teacher. Fees differ for synchronous and asynchronous
        delivery: please <Link to={paths.contact('courses')}>contact the school</Link> for details.
      </PageHeader>
      <div className="wrap band catalogue">
        <Tabs label="Grade" tabs={tabs} selected={view.grade} panelId={panelId} onSelect={showGrade} />
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
            <GradeCourses courses={courses.data} view={view} onFilter={showFilter} onLevel={showLevel} onAll={showAll} />
          )}
        </div>
      </div>
      <CatalogueNotes />
    </>
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
