// The waiting list of a course, in the order in which seats are offered.
import { Link } from 'react-router';
import type { WaitlistEntry } from '../api-types.ts';
import { EmailAddress } from '../components/EmailAddress.tsx';
import { type Column, Table } from '../components/Table.tsx';
import { dateText, deadlineText, shortDayText, type Zone } from '../dates.ts';
import { officePaths } from '../officePaths.ts';
import { useSchool } from '../school/queries.ts';

export function Waitlist({ waiting }: { waiting: readonly WaitlistEntry[] }) {
  const { timeZone } = useSchool();
  const rows = waiting.map((one) => Object.assign({ id: one.enrollmentId }, one));
  return (
    <section className="card list-card" aria-labelledby="course-line">
      <header className="list-head">
        <h2 id="course-line">Waiting List</h2>
        <p className="muted">A free seat is offered to the first student in line for its section, or whose dates fit.</p>
      </header>
      <Table labelledBy="course-line" columns={columns(timeZone)} rows={rows} name={({ studentName }) => studentName} detail={email} />
    </section>
  );
}

const email = (row: WaitlistEntry) => <EmailAddress address={row.studentEmail} />;

const columns = (timeZone: Zone): Column<WaitlistEntry>[] => [
  {
    label: 'Student',
    place: 'lead',
    cell: (row) => <><span>{`${row.position}. `}</span><Link to={officePaths.student(row.studentId)} title={row.studentEmail}><strong dir="auto">{row.studentName}</strong></Link></>,
  },
  { label: 'Waiting Since', from: 'tablet', cell: (row) => shortDayText(row.waitlistedAt, timeZone, 'Unknown date') },
  { label: 'Requested', from: 'tablet', cell: (row) => `${row.section ? `Section ${row.section.label}, ` : ''}${dateText(row.startDate, '')} – ${dateText(row.endDate, '')}` },
  {
    label: 'Seat Held Until',
    from: 'desk',
    cell: (row) => (row.offeredUntil ? deadlineText(row.offeredUntil, timeZone, timeZone) : 'No seat yet'),
  },
];
