// The rows of the student list: a dense table; on a phone, one line each that links to the page.
// oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useUser } from '../accounts/signedIn.ts';
import type { StudentRow } from '../api-types.ts';
import { SelectAll, type Selection } from '../components/CompactTable.tsx';
import { shortDayText } from '../dates.ts';
import { moneyText } from '../money.ts';
import { paths } from '../paths.ts';
import { useSchool } from '../school/queries.ts';
import { FlagBadges } from './FlagBadges.tsx';
import { nextSort, type SortKey, type StudentSort } from './studentsView.ts';
import { nameOf } from './words.ts';

type StudentTableProps = {
  labelledBy: string;
  rows: readonly StudentRow[];
  sort: StudentSort;
  onSort: (sort: StudentSort) => void;
  /** The selection, for roles with bulk actions. */
  selection?: Selection;
};

type Column = { label: string; sort?: SortKey; isNumber?: true; cell: (row: StudentRow) => ReactNode };

export function StudentTable({ labelledBy, rows, sort, onSort, selection }: StudentTableProps) {
  const { timeZone } = useSchool();
  const { duties } = useUser();
  const columns: Column[] = [
    { label: 'Name', sort: 'name', cell: (row) => studentName(row, selection) },
    { label: 'Number', cell: ({ number }) => number ?? '—' },
    { label: 'Status', cell: flagBadges },
    { label: 'Courses', isNumber: true, cell: ({ openEnrollments }) => openEnrollments },
    ...(duties.includes('records') ? [{ label: 'Documents', isNumber: true, cell: documentsText } as const] : []),
    ...(duties.includes('balances')
      ? [{ label: 'Balance', sort: 'balance', isNumber: true, cell: (row: StudentRow) => moneyText(row.balance, '—') } as const]
      : []),
    { label: 'Created', sort: 'created', cell: (row) => shortDayText(row.createdAt, timeZone, '—') },
    { label: 'Last activity', sort: 'lastActivity', cell: (row) => shortDayText(row.lastActivityAt, timeZone, 'Never') },
  ];
  return (
    <table role="table" className="table table-dense roster" aria-labelledby={labelledBy}>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map(({ label, sort: key, isNumber }) => (
            <th role="columnheader" scope="col" key={label} className={isNumber && 'number'} data-label={label} aria-sort={key && ariaSort(sort, key)}>
              {selection && key === 'name' && <SelectAll selection={selection} />}
              {key ? <button type="button" onClick={() => onSort(nextSort(sort, key))}>{label}</button> : <span>{label}</span>}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((row) => (
          <tr role="row" key={row.id}>
            {columns.map(({ label, cell, isNumber }) => (
              <td role="cell" key={label} className={isNumber && 'number'} data-label={label}>
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const flagBadges = ({ flags }: StudentRow) => <FlagBadges flags={flags} most={1} />;

function studentName(row: StudentRow, selection: Selection | undefined) {
  return (
    <>
      {selection && <input type="checkbox" aria-label={`Select ${nameOf(row)}`} checked={selection.has(row.id)} onChange={() => selection.toggle(row.id)} />}
      <Link to={paths.adminStudent(row.id)} title={row.email}>
        <bdi>{nameOf(row)}</bdi>
        {row.preferredName && <small> “<bdi>{row.preferredName}</bdi>”</small>}
        {row.age !== null && row.age < 18 && <small>{`\u00a0·\u00a0${row.age}`}</small>}
      </Link>
    </>
  );
}

const documentsText = ({ documents }: StudentRow) => (documents ? `${documents.accepted}/${documents.required}` : '—');

function ariaSort(sort: StudentSort, key: SortKey): 'ascending' | 'descending' | 'none' {
  if (sort === key) return 'ascending';
  return sort === `-${key}` ? 'descending' : 'none';
}
