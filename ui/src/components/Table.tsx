// A table that becomes a stack of cards on a phone. The roles are spelled out because a table
// that is not displayed as one loses its meaning for assistive technology.
// oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role
import type { ReactNode } from 'react';
import './Table.css';

export type Column<Row> = { label: string; cell: (row: Row) => ReactNode };

type TableProps<Row> = {
  /** The id of the heading that names the table. */
  labelledBy: string;
  columns: Column<Row>[];
  rows: readonly Row[];
  /** Whether a row needs no more attention and is greyed. */
  isDone?: (row: Row) => boolean;
};

export function Table<Row extends { id: number }>({ labelledBy, columns, rows, isDone }: TableProps<Row>) {
  return (
    <table role="table" className="table table-folds" aria-labelledby={labelledBy}>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map(({ label }) => <th role="columnheader" scope="col" key={label}>{label}</th>)}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((row) => (
          <tr role="row" key={row.id} className={isDone?.(row) ? 'is-done' : undefined}>
            {columns.map(({ label, cell }) => (
              <td role="cell" key={label} data-label={label}><div>{cell(row)}</div></td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
