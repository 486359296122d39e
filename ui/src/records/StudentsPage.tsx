// The office's list of all student accounts, with search and filters.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Prefetch } from '../accounts/guards.ts';
import { userQuery, useUser } from '../accounts/signedIn.ts';
import { failureWords, isSignedOut } from '../api.ts';
import { EmptyState } from '../components/EmptyState.tsx';
import { FilterSelect } from '../components/FilterSelect.tsx';
import { DownloadLink } from '../components/GuardedLinks.tsx';
import { Icon } from '../components/Icon.tsx';
import { ListCard } from '../components/ListCard.tsx';
import { PageHead } from '../components/PageHead.tsx';
import { SearchBox } from '../components/SearchBox.tsx';
import { showFailure } from '../components/toasts.ts';
import { useAction } from '../components/useAction.ts';
import { useSelection } from '../components/useSelection.ts';
import { grades } from '../courses/grades.ts';
import { managedCoursesQuery } from '../courses/queries.ts';
import { FlagChips } from './FlagChips.tsx';
import { ImportStudentsDialog } from './ImportStudentsDialog.tsx';
import { NewStudentDialog } from './NewStudentDialog.tsx';
import { allStudents, flagCountsQuery, studentsQuery } from './queries.ts';
import { StudentsBulkBar, StudentsBulkResult, type StudentsResult } from './StudentsBulk.tsx';
import { type StudentsView, studentParameters } from './studentsView.ts';
import { StudentTable } from './StudentTable.tsx';
import { readStudentsView, useStudentsView, viewFor } from './useStudentsView.ts';
import './records.css';

const titleId = 'students';

export const prefetch: Prefetch = (client, parameters) => [
  client.prefetchQuery(studentsQuery(viewFor(client.getQueryData(userQuery.queryKey)?.duties ?? [], readStudentsView(parameters)))),
  client.prefetchQuery(flagCountsQuery),
];

export function StudentsPage() {
  const controls = useStudentsView();
  const { view, toggle, sortBy, turnTo } = controls;
  const students = useQuery(studentsQuery(view));
  const { duties } = useUser();
  const mayAct = duties.includes('students');
  const rows = students.data?.rows ?? [];
  // A selection holds for a search and its filters, across pages and orders.
  const choice = useSelection(studentParameters({ ...view, sort: 'name', page: 1 }), rows);
  const [done, setDone] = useState<StudentsResult | null>(null);
  const choosingAll = useAction({
    mutationFn: () => allStudents(view),
    onSuccess: (all) => choice.chooseAll(all.rows),
    onError: (error) => !isSignedOut(error) && showFailure('Not all could be selected', failureWords(error, 'Please try again.')),
  });
  const total = students.data?.total ?? 0;

  return (
    <>
      <PageHead eyebrow="Records" title="Students" actions={duties.includes('students') && <Makers />} />
      <FlagChips pressed={view.flags} onToggle={toggle} />
      {done && <StudentsBulkResult key={done.words + done.failures.length} done={done} onClose={() => setDone(null)} />}
      <ListCard
        titleId={titleId}
        title="All Students"
        countText={(total) => (total === 1 ? '1 student' : `${total} students`)}
        tools={<Tools controls={controls} mayExport={duties.includes('balances')} />}
        query={students}
        page={view.page}
        onTurn={turnTo}
        loading="Loading students..."
        failed="Failed to load students. Please try again later."
        empty={<NoStudents view={view} onClosed={() => toggle('closed')} />}
      >
        {(shown) => <StudentTable labelledBy={titleId} rows={shown} sort={view.sort} onSort={sortBy} selection={mayAct ? choice.selection : undefined} />}
      </ListCard>
      {choice.chosen.length > 0 && (
        <StudentsBulkBar
          chosen={choice.chosen}
          rest={choice.chosen.length < total ? total : null}
          isChoosing={choosingAll.isPending}
          onChooseAll={() => choosingAll.run()}
          onClear={choice.clear}
          onDone={(next) => {
            setDone(next);
            choice.keepOnly(new Set(next.failures.map(({ id }) => id)));
          }}
        />
      )}
    </>
  );
}

function Tools({ controls: { view, search, filter }, mayExport }: { controls: ReturnType<typeof useStudentsView>; mayExport: boolean }) {
  const courses = useQuery(managedCoursesQuery).data ?? [];
  const codes = courses.map(({ code }) => ({ value: code, label: code })).toSorted((a, b) => a.value.localeCompare(b.value));
  // Keep the filter's course even if it is archived or not loaded yet.
  const isKnown = !view.course || codes.some(({ value }) => value === view.course);
  return (
    <>
      <SearchBox label="Search students..." value={view.q} onChange={search} />
      <FilterSelect
        label="Course"
        value={view.course}
        onChange={(course) => filter({ course })}
        options={[{ value: '', label: 'All courses' }, ...(isKnown ? [] : [{ value: view.course, label: view.course }]), ...codes]}
      />
      <FilterSelect
        label="Grade of a course"
        value={view.grade}
        onChange={(grade) => filter({ grade })}
        options={[{ value: '', label: 'All grades' }, ...grades.map((grade) => ({ value: String(grade), label: `Grade ${grade}` }))]}
      />
      {mayExport && <DownloadLink className="button button-outline" href={`/api/admin/students?${studentParameters(view, 'csv')}`}>CSV</DownloadLink>}
    </>
  );
}

function Makers() {
  const [open, setOpen] = useState<'new' | 'import' | null>(null);
  return (
    <>
      <button type="button" className="button button-outline" onClick={() => setOpen('import')}><Icon name="upload" /> Import</button>
      <button type="button" className="button button-primary" onClick={() => setOpen('new')}><Icon name="plus" /> Invite Student</button>
      {open === 'new' && <NewStudentDialog onClose={() => setOpen(null)} />}
      {open === 'import' && <ImportStudentsDialog onClose={() => setOpen(null)} />}
    </>
  );
}

function NoStudents({ view, onClosed }: { view: StudentsView; onClosed: () => void }) {
  const isFiltered = view.q.trim() !== '' || view.flags.length > 0 || view.course !== '' || view.grade !== '';
  if (!isFiltered) {
    return (
      <EmptyState icon="people" title="No students yet">
        <p>Students register on the website, or you invite them or import a list.</p>
      </EmptyState>
    );
  }
  return (
    <EmptyState icon="search" title="No student found">
      <p>{view.q.trim() ? `No student matches “${view.q.trim()}”.` : 'No student matches these filters.'}</p>
      {!view.flags.includes('closed') && (
        <button type="button" className="button button-outline" onClick={onClosed}>Search closed accounts too?</button>
      )}
    </EmptyState>
  );
}
