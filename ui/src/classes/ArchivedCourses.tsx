// Archived courses, each of which can be restored.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { RefObject } from 'react';
import { Link } from 'react-router';
import { failureWords, isSignedOut } from '../api.ts';
import type { CourseRow } from '../api-types.ts';
import { EmptyState } from '../components/EmptyState.tsx';
import { LoadFailed } from '../components/LoadFailed.tsx';
import { Spinner } from '../components/Spinner.tsx';
import { type Column, Table } from '../components/Table.tsx';
import { showFailure, showToast } from '../components/toasts.ts';
import { useAction } from '../components/useAction.ts';
import { list_fresh_ms } from '../components/useListView.ts';
import { shortDayText, type Zone } from '../dates.ts';
import { officePaths } from '../officePaths.ts';
import { useSchool } from '../school/queries.ts';
import { archivedCoursesQuery, refreshCourses, restoreCourse } from './queries.ts';
import { coursesInView, type ManagedView } from './useManagedView.ts';

type ArchivedCoursesProps = { view: ManagedView; heading: RefObject<HTMLElement | null>; mayChange: boolean };

export function ArchivedCourses({ view, heading, mayChange }: ArchivedCoursesProps) {
  const query = useQuery({ ...archivedCoursesQuery, staleTime: list_fresh_ms });
  const { timeZone } = useSchool();
  if (query.isPending) return <Spinner label="Loading courses..." />;
  if (query.isError) return <LoadFailed words="Failed to load courses. Please try again later." query={query} heading={heading} />;
  const shown = coursesInView(query.data, view);
  if (shown.length === 0) {
    return (
      <EmptyState icon="book" title={query.data.length === 0 ? 'No archived courses' : 'No archived course matches your search'}>
        <p>Courses deleted after students have enrolled are kept here with their class lists.</p>
      </EmptyState>
    );
  }
  const columns = [...facts(timeZone), ...(mayChange ? [back(heading)] : [])];
  return <div className="card list-card"><Table labelledBy="all-courses" columns={columns} rows={shown} name={({ code }) => code} /></div>;
}

const facts = (timeZone: Zone): Column<CourseRow>[] => [
  {
    label: 'Course',
    place: 'lead',
    cell: ({ id, code, name }) => <><span>{`${code} · `}</span><Link to={officePaths.course(id)} dir="auto">{name}</Link></>,
  },
  { label: 'Grade', from: 'tablet', cell: ({ grade, courseType }) => `${grade}, ${courseType}` },
  { label: 'Archived', from: 'tablet', cell: ({ archivedAt }) => shortDayText(archivedAt, timeZone, 'Unknown date') },
  { label: 'Still Enrolled', isNumber: true, from: 'tablet', cell: ({ active }) => active },
];

const back = (heading: RefObject<HTMLElement | null>): Column<CourseRow> => ({
  label: 'Action',
  place: 'action',
  cell: (course) => <BringBack course={course} onBack={() => heading.current?.focus()} />,
});

type BringBackProps = { course: Pick<CourseRow, 'id' | 'code' | 'name'>; onBack?: () => void };

export function BringBack({ course, onBack }: BringBackProps) {
  const client = useQueryClient();
  const restoring = useAction({
    ...restoreCourse,
    onSuccess: () => {
      showToast('Course restored', `${course.code} is back in the catalogue.`);
      onBack?.();
      refreshCourses(client);
    },
    onError: (error) => {
      if (!isSignedOut(error)) showFailure('Error', failureWords(error, 'Failed to restore the course. Please try again.'));
    },
  });
  return (
    <button
      type="button"
      className="button button-outline"
      aria-label={`Restore ${course.code}: ${course.name}`}
      aria-disabled={restoring.isPending}
      onClick={() => restoring.run(course.id)}
    >
      {restoring.isPending ? 'Restoring...' : 'Restore'}
    </button>
  );
}
