// Course Management (section 2): the whole catalogue with a search, and the dialogs that change it.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import type { Prefetch } from '../accounts/guards.ts';
import { useUser } from '../accounts/signedIn.ts';
import { Icon } from '../components/Icon.tsx';
import { LoadFailed } from '../components/LoadFailed.tsx';
import { PageHead } from '../components/PageHead.tsx';
import { Spinner } from '../components/Spinner.tsx';
import { list_fresh_ms } from '../components/useListView.ts';
import { defaultGrade } from '../courses/grades.ts';
import { managedCoursesQuery } from '../courses/queries.ts';
import { paths } from '../paths.ts';
import { ArchivedCourses } from './ArchivedCourses.tsx';
import { CourseDialogs, type OpenDialog } from './CourseDialogs.tsx';
import { CourseTools, countText } from './CourseTools.tsx';
import { ImportCoursesDialog } from './ImportCoursesDialog.tsx';
import { ManagedCourses } from './ManagedCourses.tsx';
import { useCourseChanges } from './useCourseChanges.ts';
import { useManagedView } from './useManagedView.ts';
import '../components/ListCard.css';
import './ManageCourses.css';

export const prefetch: Prefetch = (client) => [client.prefetchQuery(managedCoursesQuery)];

export function ManageCoursesPage() {
  const courses = useQuery({ ...managedCoursesQuery, staleTime: list_fresh_ms });
  const managed = useManagedView();
  const { heading, ...changes } = useCourseChanges(managed.view, managed.showCourse);
  const isArchive = managed.view.look === 'archived';
  const mayChange = useUser().duties.includes('courses');
  // `?import=1` and `?import=sample` open the import.
  const [parameters, setParameters] = useSearchParams();
  const [importing, setImporting] = useState(parameters.get('import'));
  const [open, setOpen] = useState<OpenDialog | null>(null);

  function endImport() {
    setImporting(null);
    if (parameters.has('import')) setParameters((before) => [...before].filter(([name]) => name !== 'import'), { replace: true });
  }

  return (
    <>
      <PageHead
        eyebrow="Records"
        title="Course Management"
        actions={
          <>
            <Link className="button button-outline" to={paths.adminDashboard}>Back to Dashboard</Link>
            {mayChange && (
              <>
                <button type="button" className="button button-outline" onClick={() => setImporting('file')}>
                  <Icon name="upload" /> Import
                </button>
                <button type="button" className="button button-primary" onClick={() => setOpen({ kind: 'create', grade: managed.view.grade ?? defaultGrade })}>
                  <Icon name="plus" /> Add New Course
                </button>
              </>
            )}
          </>
        }
      />
      <section className="managed-courses" aria-labelledby="all-courses">
        <div className="row card-head list-head">
          <div>
            <h2 id="all-courses" ref={heading} tabIndex={-1}>{isArchive ? 'Archived Courses' : 'All Courses'}</h2>
            <p className="muted" role="status">{!isArchive && courses.data && countText(courses.data, managed.view)}</p>
          </div>
          <CourseTools {...managed} />
        </div>
        {isArchive && <ArchivedCourses view={managed.view} heading={heading} mayChange={mayChange} />}
        {!isArchive && courses.isPending && <Spinner label="Loading courses..." />}
        {!isArchive && courses.isError && (
          <LoadFailed words="Failed to load courses. Please try again later." query={courses} heading={heading} />
        )}
        {!isArchive && courses.data && (
          <ManagedCourses
            courses={courses.data}
            view={managed.view}
            onSort={managed.sortBy}
            showEverything={managed.showEverything}
            acts={mayChange ? {
              importSample: () => setImporting('sample'),
              edit: (course) => setOpen({ kind: 'update', course }),
              remove: (course) => setOpen({ kind: 'delete', course }),
            } : null}
          />
        )}
      </section>
      <CourseDialogs open={open} changes={changes} onClose={(which) => setOpen((now) => (now === which ? null : now))} />
      {importing && mayChange && (
        <ImportCoursesDialog isSample={importing === 'sample'} isEmpty={courses.data?.length === 0} onClose={endImport} />
      )}
    </>
  );
}
