// The columns of the enrollment list, by tab.
import { Link } from 'react-router';
import type { OfficeEnrollment } from '../../api-types.ts';
import type { Column as TableColumn } from '../../components/Table.tsx';
import { StatusBadge } from '../../components/StatusBadge.tsx';
import { dateText } from '../../dates.ts';
import { moneyText } from '../../money.ts';
import { officePaths } from '../../officePaths.ts';
import type { Decided } from '../decisionResults.ts';
import { otherPrice } from '../fees.ts';
import { isOpenQuestion, prerequisiteWords, shortPrerequisite } from '../prerequisites.ts';
import { shortWords } from './bulk.ts';
import { repeatText, shortRepeat } from './repeat.ts';
import type { TabName } from './view.ts';

type Column = TableColumn<OfficeEnrollment>;

const student: Column = {
  label: 'Student',
  sort: 'student',
  place: 'lead',
  id: (row) => `student-${row.id}`,
  cell: (row) => (
    <>
      <Link to={officePaths.student(row.studentId)} title={row.studentEmail}><strong dir="auto">{row.studentName}</strong></Link>
      {/* Shown in the expanded row. */}
      <small className="sr-only"><bdi>{row.studentEmail}</bdi></small>
    </>
  ),
};

const course: Column = {
  label: 'Course',
  sort: 'course',
  place: 'side',
  from: 'tablet',
  id: (row) => `course-${row.id}`,
  cell: (row) => (
    <>
      <Link to={officePaths.course(row.courseId)} title={row.courseName}>{[row.courseCode, row.section?.label].filter(Boolean).join(' ')}</Link>
      {row.repeat && <small className="flag" title={repeatText(row) ?? undefined}>{` ${shortRepeat(row)}`}</small>}
      <small><span> · </span><bdi>{row.courseName}</bdi></small>
    </>
  ),
};

const grade: Column = { label: 'Grade', isNumber: true, from: 'desk', cell: (row) => row.courseGrade };
const start: Column = { label: 'Start Date', sort: 'start', from: 'desk', cell: (row) => dateText(row.startDate, 'Not set') };
const end: Column = { label: 'End Date', sort: 'end', from: 'desk', cell: (row) => dateText(row.endDate, 'Not set') };

const fee: Column = {
  label: 'Fee',
  isNumber: true,
  from: 'desk',
  cell: (row) => {
    const other = otherPrice(row);
    return (
      <>
        <span className={other ? 'flag' : undefined} title={other?.full}>{moneyText(row.price, 'Not set')}</span>
        {other && <span className="sr-only">{`, ${other.short}`}</span>}
      </>
    );
  },
};

const charged: Column = { label: 'Charged', isNumber: true, from: 'tablet', cell: (row) => moneyText(row.chargedPrice, 'Nothing yet') };

/** The prerequisite check in short, in full when the row is expanded or hovered. */
const asked: Column = {
  label: 'Prerequisite',
  place: 'rest',
  from: 'desk',
  cell: ({ prerequisite: check }) => check
    ? <span className={isOpenQuestion(check) ? 'flag' : undefined} title={prerequisiteWords(check)}>{shortPrerequisite(check)}</span>
    : '–',
};

/** The first missing item and the number of others, in full when the row is expanded or hovered. */
const missing: Column = {
  label: 'Missing',
  place: 'rest',
  from: 'tablet',
  cell: ({ missing: all, identityChanged, documents, prerequisite }) => {
    const isOpen = prerequisite && isOpenQuestion(prerequisite);
    const lacks = [...(identityChanged ? ['identity'] : []), ...all.map((one) => shortWords[one]), ...(isOpen ? [shortPrerequisite(prerequisite)] : [])];
    // A dash if the role may not read it.
    const others = [...(documents ? [] : ['–']), ...(prerequisite && !isOpen ? [shortPrerequisite(prerequisite)] : [])];
    const words = [...lacks, ...others];
    if (words.length === 0) return <span className="muted">Nothing</span>;
    const rest = lacks.length > 1 ? ` +${lacks.length - 1}` : '';
    return (
      <span className={lacks.length > 0 ? 'flag' : 'muted'} title={words.join(', ')}>
        <span aria-hidden="true">{`${words[0]}${rest}`}</span><span className="sr-only">{words.join(', ')}</span>
      </span>
    );
  },
};

const waiting: Column = { label: 'Waiting', sort: 'created', isNumber: true, from: 'tablet', cell: (row) => sinceText(row.requestedAt) };

const line: Column = {
  label: 'In line',
  sort: 'waitlisted',
  isNumber: true,
  from: 'tablet',
  cell: (row) => <span className={row.offeredUntil ? 'flag' : undefined}>{row.offeredUntil ? 'Place offered' : sinceText(row.waitlistedAt)}</span>,
};

const leaving: Column = {
  label: 'Why',
  place: 'rest',
  from: 'tablet',
  cell: (row) => <span dir="auto" title={row.leaveReason ?? undefined}>{row.leaveReason}</span>,
};

const mark: Column = {
  label: 'Mark',
  isNumber: true,
  from: 'tablet',
  cell: ({ finalMark, midtermMark }) =>
    typeof finalMark === 'number' ? `${finalMark}%` : typeof midtermMark === 'number' ? `midterm ${midtermMark}%` : '–',
};

const decided: Column = { label: 'Decided', sort: 'decided', isNumber: true, from: 'tablet', cell: (row) => sinceText(row.decidedAt) };

const columns: Record<TabName, Column[]> = {
  waiting: [student, course, grade, start, end, fee, missing, waiting],
  over: [student, course, grade, start, end, waiting],
  waitlisted: [student, course, start, end, fee, asked, line],
  active: [student, course, grade, start, end, charged, mark],
  leaving: [student, course, start, end, leaving],
  transfer: [student, course, grade, start, end, charged],
  ending: [student, course, grade, start, end, mark],
  mark: [student, course, grade, end, mark],
  ended: [student, course, grade, start, end, mark, decided],
};

/** The columns of a tab, with the status column. */
export function columnsOf(tab: TabName, decisions: Record<number, Decided>): Column[] {
  const status: Column = { label: 'Status', from: 'tablet', cell: (row) => <StatusBadge status={decisions[row.id]?.status ?? row.status} /> };
  const [first = student, ...others] = columns[tab];
  const folded = (row: OfficeEnrollment) => [row.courseCode, decisions[row.id]?.status].filter(Boolean).join(' · ');
  return [{ ...first, folded }, ...others, status];
}

const day_ms = 86_400_000;

/** Whole days ago: "3 days", "today". */
function sinceText(instant: string | null | undefined, now_ms: number = Date.now()): string {
  if (!instant) return '–';
  const days = Math.floor((now_ms - Date.parse(instant)) / day_ms);
  if (days <= 0) return 'today';
  return days === 1 ? '1 day' : `${days} days`;
}
