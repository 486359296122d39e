// The waiting list of a course, in the order in which seats are offered.
import { Link } from 'react-router';
import type { WaitlistEntry } from '../api-types.ts';
import { EmailAddress } from '../components/EmailAddress.tsx';
import { type Column, Table } from '../components/Table.tsx';
import { dateText, dayText, deadlineText } from '../dates.ts';
import { paths } from '../paths.ts';
import { useSchool } from '../school/queries.ts';

export function Waitlist({ waiting }: { waiting: readonly WaitlistEntry[] }) {
  const { timeZone } = useSchool();
  const rows = waiting.map((one) => Object.assign({ id: one.enrollmentId }, one));
  return (
    <section className="card list-card" aria-labelledby="course-line">
      <header className="list-head">
        <h2 id="course-line">Waiting List</h2>
        <p className="muted">A free seat is offered to the first student in line whose dates fit.</p>
      </header>
      <Table labelledBy="course-line" columns={columns(timeZone)} rows={rows} />
    </section>
  );
}

const columns = (timeZone: string): Column<WaitlistEntry>[] => [
  {
    label: 'Student',
    cell: (row) => (
      <>
        <strong dir="auto"><span>{`${row.position}. `}</span><Link to={paths.adminStudent(row.studentId)}>{row.studentName}</Link></strong>
        <small><EmailAddress address={row.studentEmail} /></small>
      </>
    ),
  },
  { label: 'Waiting Since', cell: (row) => <span className="nowrap">{dayText(row.waitlistedAt, timeZone, 'Unknown date')}</span> },
  { label: 'Requested Dates', cell: (row) => <span className="nowrap">{`${dateText(row.startDate, '')} – ${dateText(row.endDate, '')}`}</span> },
  {
    label: 'Seat Held Until',
    cell: (row) => (row.offeredUntil ? <span className="nowrap">{deadlineText(row.offeredUntil, timeZone, timeZone)}</span> : 'No seat yet'),
  },
];
