// The class list of a course, by section or start date, to print on a page or to save as CSV.
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Link } from 'react-router';
import { useUser } from '../accounts/signedIn.ts';
import type { ClassMember, CourseWithWaitlist } from '../api-types.ts';
import { EmailAddress } from '../components/EmailAddress.tsx';
import { EmptyState } from '../components/EmptyState.tsx';
import { FilterSelect } from '../components/FilterSelect.tsx';
import { DownloadLink } from '../components/GuardedLinks.tsx';
import { LoadFailed } from '../components/LoadFailed.tsx';
import { Spinner } from '../components/Spinner.tsx';
import { StatusBadge } from '../components/StatusBadge.tsx';
import { type Column, Table } from '../components/Table.tsx';
import { list_fresh_ms } from '../components/useListView.ts';
import { SectionHours } from '../courses/SectionHours.tsx';
import { dateText } from '../dates.ts';
import { officePaths } from '../officePaths.ts';
import { sectionOptions, sectionValue, termOptions } from './cohorts.ts';
import { MarkSheet } from './MarkSheet.tsx';
import { classListAddress, classListQuery } from './queries.ts';
import { WriteClassDialog } from './WriteClassDialog.tsx';
import '../components/ListCard.css';

export function ClassList({ course }: { course: CourseWithWaitlist }) {
  const query = useQuery({ ...classListQuery(course.id), staleTime: list_fresh_ms });
  const heading = useRef<HTMLHeadingElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const { duties } = useUser();
  const mayMark = duties.includes('enrollments');
  const mayWrite = duties.includes('students');
  const [chosen, setChosen] = useState('');
  const [isEntering, setIsEntering] = useState(false);
  const [isWriting, setIsWriting] = useState(false);
  const members = query.data ?? [];
  const isBySection = members.some(({ section }) => section);
  const parts = isBySection ? sectionOptions(members) : termOptions(members);
  // The chosen part may be gone in the meantime; there may be but one section.
  const [, only, ...others] = isBySection ? parts : [];
  const part = only && others.length === 0 ? only.value : parts.some(({ value }) => value === chosen) ? chosen : '';
  const shown = members.filter((one) => !part || (isBySection ? sectionValue(one) : one.startDate) === part);
  const section = isBySection ? course.sections.find(({ id }) => String(id) === part) : undefined;
  const csv = `${classListAddress(course.id)}?format=csv${section ? `&section=${section.id}` : ''}`;

  function close() {
    flushSync(() => setIsEntering(false));
    opener.current?.focus();
  }

  return (
    <section className="card list-card" aria-labelledby="class-list">
      <header className="row list-head">
        <div>
          <h2 id="class-list" ref={heading} tabIndex={-1}>Class List</h2>
          <p className="muted" role="status">{query.data && (shown.length === 1 ? '1 student' : `${shown.length} students`)}</p>
        </div>
        {members.length > 0 && !isEntering && (
          <div className="cluster list-tools screen-only">
            {parts.length > 2 && <FilterSelect label={isBySection ? 'Section' : 'Beginning'} options={parts} value={part} onChange={setChosen} />}
            {mayMark && <button type="button" ref={opener} className="button button-primary" onClick={() => setIsEntering(true)}>Enter Marks</button>}
            {mayWrite && part !== 'own' && shown.some(({ status }) => status === 'active') && (
              <button type="button" className="button button-outline" onClick={() => setIsWriting(true)}>Write an Email</button>
            )}
            <button type="button" className="button button-outline" onClick={() => window.print()}>Print</button>
            {duties.includes('exports') && <DownloadLink className="button button-outline" href={csv}>Save as CSV</DownloadLink>}
          </div>
        )}
      </header>
      {isWriting && <WriteClassDialog course={course} startDate={isBySection ? '' : part} section={section} onClose={() => setIsWriting(false)} />}
      {section && <p className="class-section"><SectionHours section={section} startsOn={section.startsOn} endsOn={section.endsOn} /> <span dir="auto">{section.teacherName}</span></p>}
      {query.isPending && <Spinner label="Loading the class list..." />}
      {query.isError && <LoadFailed words="Failed to load the class list. Please try again later." query={query} heading={heading} />}
      {query.data?.length === 0 && (
        <EmptyState icon="people" title="No students yet"><p>Students appear here once their requests are approved.</p></EmptyState>
      )}
      {isEntering && <MarkSheet key={part} courseId={course.id} members={shown} onClose={close} />}
      {!isEntering && shown.length > 0 && <Table labelledBy="class-list" columns={columns} name={({ studentName }) => studentName} detail={contacts} rows={shown.map((one) => Object.assign({ id: one.enrollmentId }, one))} />}
    </section>
  );
}

const contacts = ({ studentEmail, guardianContact }: ClassMember) => (
  <dl className="pairs">
    <div><dt>Email</dt><dd><EmailAddress address={studentEmail} /></dd></div>
    {guardianContact && <div><dt>Guardian</dt><dd dir="auto">{guardianContact}</dd></div>}
  </dl>
);

const columns: Column<ClassMember>[] = [
  {
    label: 'Student',
    place: 'lead',
    cell: (row) => <Link to={officePaths.student(row.studentId)} title={row.studentEmail}><strong dir="auto">{row.studentName}</strong></Link>,
  },
  { label: 'Number', from: 'desk', cell: (row) => row.number ?? '–' },
  {
    label: 'Guardian',
    place: 'side',
    from: 'tablet',
    cell: (row) => <bdi title={row.guardianContact ?? undefined}>{row.guardianName ?? 'None on file'}</bdi>,
  },
  { label: 'Section', from: 'desk', cell: (row) => row.section?.label ?? '–' },
  { label: 'Dates', from: 'desk', cell: (row) => `${dateText(row.startDate, '')} – ${dateText(row.endDate, '')}` },
  { label: 'Status', from: 'tablet', cell: (row) => <StatusBadge status={row.status} /> },
  { label: 'Midterm', isNumber: true, from: 'tablet', cell: (row) => row.midtermMark ?? '–' },
  { label: 'Final', isNumber: true, cell: (row) => (row.finalMark === null ? '–' : <strong>{row.finalMark}</strong>) },
];
