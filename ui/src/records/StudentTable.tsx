// The rows of the student list.
import { Link } from 'react-router';
import { useUser } from '../accounts/signedIn.ts';
import type { StudentRow } from '../api-types.ts';
import { type Column, type Selection, Table } from '../components/Table.tsx';
import { shortDayText } from '../dates.ts';
import { moneyText } from '../money.ts';
import { officePaths } from '../officePaths.ts';
import { useSchool } from '../school/queries.ts';
import { FlagBadges } from './FlagBadges.tsx';
import { nextSort, readSortKey, type StudentSort } from './studentsView.ts';
import { nameOf } from './words.ts';

type StudentTableProps = {
  labelledBy: string;
  rows: readonly StudentRow[];
  sort: StudentSort;
  onSort: (sort: StudentSort) => void;
  /** The selection, for roles with bulk actions. */
  selection?: Selection | undefined;
};

export function StudentTable({ labelledBy, rows, sort, onSort, selection }: StudentTableProps) {
  const { timeZone } = useSchool();
  const { duties } = useUser();
  const columns: Column<StudentRow>[] = [
    {
      label: 'Name',
      sort: 'name',
      place: 'lead',
      cell: studentName,
    },
    { label: 'Age', isNumber: true, from: 'tablet', cell: ({ age }) => age ?? '–' },
    { label: 'Number', from: 'desk', cell: ({ number }) => number ?? '–' },
    { label: 'Status', cell: flagBadges },
    { label: 'Courses', isNumber: true, from: 'tablet', cell: ({ openEnrollments }) => openEnrollments },
    ...(duties.includes('records')
      ? [{ label: 'Documents', isNumber: true, from: 'desk', cell: ({ documents }: StudentRow) => (documents ? `${documents.accepted}/${documents.required}` : '–') } as const]
      : []),
    ...(duties.includes('balances')
      ? [{ label: 'Balance', sort: 'balance', isNumber: true, from: 'tablet', cell: (row: StudentRow) => moneyText(row.balance, '–') } as const]
      : []),
    { label: 'Created', sort: 'created', isNumber: true, from: 'desk', cell: (row) => shortDayText(row.createdAt, timeZone, '–') },
    { label: 'Last activity', sort: 'lastActivity', isNumber: true, from: 'desk', cell: (row) => shortDayText(row.lastActivityAt, timeZone, 'Never') },
  ];
  return (
    <Table
      labelledBy={labelledBy}
      columns={columns}
      rows={rows}
      name={nameOf}
      sort={{ current: sort, onSort: (asked) => onSort(nextSort(sort, readSortKey(asked) ?? 'name')) }}
      selection={selection}
    />
  );
}

const studentName = (row: StudentRow) => (
  <Link to={officePaths.student(row.id)} title={row.email}>
    <strong><bdi>{nameOf(row)}</bdi></strong>
    {row.preferredName && <small> “<bdi>{row.preferredName}</bdi>”</small>}
  </Link>
);

const flagBadges = ({ flags }: StudentRow) => <FlagBadges flags={flags} most={1} />;
