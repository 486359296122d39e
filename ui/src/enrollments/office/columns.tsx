// The columns of the enrollment list, by tab.
import { Link } from 'react-router';
import type { OfficeEnrollment, PrerequisiteCheck } from '../../api-types.ts';
import type { CompactColumn } from '../../components/CompactTable.tsx';
import { StatusBadge } from '../../components/StatusBadge.tsx';
import { dateText } from '../../dates.ts';
import { moneyText } from '../../money.ts';
import { paths } from '../../paths.ts';
import type { Decided } from '../decisionResults.ts';
import { otherPrice } from '../fees.ts';
import { isOpenQuestion, prerequisiteWords, shortPrerequisite } from '../prerequisites.ts';
import { shortWords } from './bulk.ts';
import { repeatText, shortRepeat } from './repeat.ts';
import type { TabName } from './view.ts';

type Column = CompactColumn<OfficeEnrollment>;

const student: Column = {
  label: 'Student',
  sort: 'student',
  place: 'lead',
  cell: (row) => (
    <>
      <Link id={`student-${row.id}`} to={paths.adminStudent(row.studentId)} title={row.studentEmail}>
        <strong dir="auto">{row.studentName}</strong>
      </Link>
      <small><bdi>{row.studentEmail}</bdi></small>
    </>
  ),
};

const course: Column = {
  label: 'Course',
  sort: 'course',
  place: 'side',
  cell: (row) => (
    <>
      <Link id={`course-${row.id}`} to={paths.adminCourse(row.courseId)} title={row.courseName}>
        <span>{`${row.courseCode} `}</span>{!row.repeat && <small dir="auto">{row.courseName}</small>}
      </Link>
      {/* In place of the name: every row has two lines. */}
      {row.repeat && <small className="flag" title={repeatText(row) ?? undefined}>{shortRepeat(row)}</small>}
    </>
  ),
};

const grade: Column = { label: 'Grade', cell: (row) => row.courseGrade };
const start: Column = { label: 'Start Date', sort: 'start', cell: (row) => dateText(row.startDate, 'Not set') };
const end: Column = { label: 'End Date', sort: 'end', cell: (row) => dateText(row.endDate, 'Not set') };

const fee: Column = {
  label: 'Fee',
  cell: (row) => {
    const other = otherPrice(row);
    return (
      <>
        <span>{moneyText(row.price, 'Not set')}</span>
        {other && <small title={other.full}>{other.short}</small>}
      </>
    );
  },
};

const charged: Column = { label: 'Charged', cell: (row) => moneyText(row.chargedPrice, 'Nothing yet') };

/** The prerequisite check, in full when the row is expanded or hovered. */
function Asked({ check }: { check: PrerequisiteCheck | null }) {
  return check && <small className={isOpenQuestion(check) ? 'flag' : undefined} title={prerequisiteWords(check)}>{shortPrerequisite(check)}</small>;
}

/** The missing items in short, in full when the row is expanded or hovered. */
const missing: Column = {
  label: 'Missing',
  cell: ({ missing: all, identityChanged, documents, prerequisite }) => {
    // A dash if the role may not read it.
    const words = [...(identityChanged ? ['identity'] : []), ...all.map((one) => shortWords[one]), ...(documents ? [] : ['–'])].join(', ');
    return (
      <>
        {words ? <span className="flag" title={words}>{words}</span> : <span className="muted">Nothing</span>}
        <Asked check={prerequisite} />
      </>
    );
  },
};

const line: Column = {
  label: 'In line',
  sort: 'waitlisted',
  cell: (row) => (
    <>
      <span className={row.offeredUntil ? 'flag' : undefined}>{row.offeredUntil ? 'Place offered' : sinceText(row.waitlistedAt)}</span>
      <Asked check={row.prerequisite} />
    </>
  ),
};

const leaving: Column = {
  label: 'Why',
  cell: (row) => <span dir="auto" title={row.leaveReason ?? undefined}>{row.leaveReason}</span>,
};

const mark: Column = {
  label: 'Mark',
  cell: ({ finalMark, midtermMark }) =>
    typeof finalMark === 'number' ? `${finalMark}%` : typeof midtermMark === 'number' ? `midterm ${midtermMark}%` : '–',
};

const decided: Column = { label: 'Decided', sort: 'decided', cell: (row) => sinceText(row.decidedAt) };

const columns: Record<TabName, Column[]> = {
  waiting: [student, course, grade, start, end, fee, missing],
  waitlisted: [student, course, grade, start, end, fee, line],
  active: [student, course, grade, start, end, charged, mark],
  leaving: [student, course, start, end, leaving],
  ending: [student, course, grade, start, end, mark],
  mark: [student, course, grade, end, mark],
  ended: [student, course, grade, start, end, mark, decided],
};

/** The columns of a tab, with the status column. */
export function columnsOf(tab: TabName, decisions: Record<number, Decided>): Column[] {
  const status: Column = {
    label: 'Status',
    cell: (row) => (
      <>
        <StatusBadge status={decisions[row.id]?.status ?? row.status} />
        {tab === 'waiting' && !decisions[row.id] && <small title="Waiting since the request">{sinceText(row.requestedAt)}</small>}
      </>
    ),
    ...(tab === 'waiting' && { sort: 'created' }),
  };
  return [...columns[tab], status];
}

const day_ms = 86_400_000;

/** Whole days ago: "3 days", "today". */
function sinceText(instant: string | null | undefined, now_ms: number = Date.now()): string {
  if (!instant) return '–';
  const days = Math.floor((now_ms - Date.parse(instant)) / day_ms);
  if (days <= 0) return 'today';
  return days === 1 ? '1 day' : `${days} days`;
}
