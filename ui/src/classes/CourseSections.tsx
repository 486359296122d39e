// The sections of a course in the office, those of the latest term first.
import { Link } from 'react-router';
import type { CourseWithWaitlist } from '../api-types.ts';
import { type Column, Table } from '../components/Table.tsx';
import { dateText } from '../dates.ts';
import { deliveries, whenText } from '../meetings.ts';
import { moneyText } from '../money.ts';
import { officePaths } from '../officePaths.ts';
import { seatsText, sectionStatuses } from '../terms/words.ts';

type Row = CourseWithWaitlist['sections'][number];

export function CourseSections({ sections }: { sections: readonly Row[] }) {
  return (
    <section className="card list-card" aria-labelledby="course-sections">
      <header className="row list-head">
        <div>
          <h2 id="course-sections">Sections</h2>
          <p className="muted">{sections.length === 1 ? '1 section' : `${sections.length} sections`}</p>
        </div>
      </header>
      <Table labelledBy="course-sections" columns={columns} rows={sections} name={({ label }) => `section ${label}`} isDone={({ status }) => status === 'cancelled'} detail={cancelled} />
    </section>
  );
}

/** Classes that do not take place. */
const cancelled = ({ cancelledClasses }: Row) =>
  cancelledClasses.length > 0 && <p>{`Cancelled classes: ${cancelledClasses.map(({ date }) => dateText(date, '')).join('; ')}`}</p>;

const columns: Column<Row>[] = [
  {
    label: 'Section',
    place: 'lead',
    cell: ({ label, termId, termName }) => <><strong>{`${label} `}</strong>{termId === null ? <span>own dates</span> : <Link to={officePaths.term(termId)}>{termName}</Link>}</>,
    folded: ({ status }) => sectionStatuses[status],
  },
  { label: 'Delivery', from: 'desk', cell: ({ delivery }) => deliveries[delivery] },
  { label: 'Days and hours', cell: (row) => whenText(row) },
  { label: 'Teacher', from: 'tablet', place: 'rest', cell: ({ teacherName }) => <bdi title={teacherName ?? undefined}>{teacherName ?? '–'}</bdi> },
  { label: 'Seats', from: 'tablet', isNumber: true, cell: (row) => `${seatsText(row)}${row.waiting > 0 ? ` · ${row.waiting} waiting` : ''}` },
  { label: 'Price', from: 'desk', isNumber: true, cell: ({ price }) => moneyText(price, 'Course’s') },
  { label: 'Status', from: 'tablet', cell: ({ status }) => sectionStatuses[status] },
];
