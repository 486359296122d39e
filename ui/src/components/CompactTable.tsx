// The office's dense table: one line per row, sortable headings, selectable rows that expand in place. On a phone a
// row is one line that unfolds. The roles are spelled out because a table
// that is not displayed as one loses its meaning for assistive technology.
// oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role
import { Fragment, type ReactNode, useState } from 'react';
import { Icon } from './Icon.tsx';
import { SortButton, sortOf } from './SortButton.tsx';
import './Table.css';
import './CompactTable.css';

export type CompactColumn<Row> = {
  label: string;
  cell: (row: Row) => ReactNode;
  /** The server's sort key of this column. */
  sort?: string;
  /** Whether a folded row shows this column on a phone. */
  place?: 'lead' | 'side' | 'action';
  /** Text from a hidden column that a folded row shows below. */
  folded?: (row: Row) => ReactNode;
};

export type Selection = {
  has: (id: number) => boolean;
  toggle: (id: number) => void;
  toggleAll: () => void;
  /** Selection of the page's rows: all, some or none. */
  state: 'all' | 'some' | 'none';
};

type CompactTableProps<Row> = {
  /** The id of the heading that names the table. */
  labelledBy: string;
  columns: CompactColumn<Row>[];
  rows: readonly Row[];
  /** The sort order in the address. */
  sort?: { current: string; onSort: (sort: string) => void };
  selection?: Selection;
  /** The row's accessible name, for its checkbox and button. */
  name: (row: Row) => string;
  /** Content below an expanded row. */
  detail?: (row: Row) => ReactNode;
  /** Whether a row needs no more attention and is greyed. */
  isDone?: (row: Row) => boolean;
};

export function CompactTable<Row extends { id: number }>(props: CompactTableProps<Row>) {
  const { labelledBy, columns, rows, sort, selection, name, detail, isDone } = props;
  const [openIds, setOpenIds] = useState<ReadonlySet<number>>(new Set());
  const toggle = (id: number) => setOpenIds((before) => toggled(before, id));
  return (
    <table role="table" className="table table-dense table-folds compact-table" aria-labelledby={labelledBy}>
      <thead role="rowgroup">
        <tr role="row">
          {selection && <th role="columnheader" scope="col"><SelectAll selection={selection} /></th>}
          {columns.map(({ label, sort: by }) => (
            <th role="columnheader" scope="col" key={label} aria-sort={sort && by ? sortOf(sort.current, by) : undefined}>
              {sort && by ? <SortButton label={label} column={by} {...sort} /> : label}
            </th>
          ))}
          <th role="columnheader" scope="col"><span className="sr-only">More</span></th>
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((row) => {
          const isOpen = openIds.has(row.id);
          return (
            <Fragment key={row.id}>
              <tr role="row" tabIndex={-1} data-row={row.id} className={rowClass(isOpen, isDone?.(row))}>
                {selection && (
                  <td role="cell">
                    <input
                      type="checkbox"
                      aria-label={`Select ${name(row)}`}
                      aria-keyshortcuts="x"
                      checked={selection.has(row.id)}
                      disabled={isDone?.(row)}
                      onChange={() => selection.toggle(row.id)}
                    />
                  </td>
                )}
                {columns.map(({ label, cell, place, folded }) => (
                  <td role="cell" key={label} data-label={label} data-place={place}>
                    <div>{folded ? <><span>{cell(row)}</span><small className="folded">{folded(row)}</small></> : cell(row)}</div>
                  </td>
                ))}
                <td role="cell">
                  <button
                    type="button"
                    className="icon-button"
                    aria-label={`More about ${name(row)}`}
                    aria-expanded={isOpen}
                    aria-keyshortcuts="o"
                    onClick={() => toggle(row.id)}
                  >
                    <Icon name="chevron" />
                  </button>
                </td>
              </tr>
              {isOpen && detail && (
                <tr role="row" className="compact-detail">
                  <td role="cell" colSpan={columns.length + (selection ? 2 : 1)}>{detail(row)}</td>
                </tr>
              )}
            </Fragment>
          );
        })}
      </tbody>
    </table>
  );
}

/** The checkbox that selects the whole page. */
export function SelectAll({ selection: { state, toggleAll } }: { selection: Selection }) {
  return (
    <label className="choose-all">
      <input
        type="checkbox"
        aria-label="Select all on this page"
        checked={state === 'all'}
        ref={(box) => {
          if (box) box.indeterminate = state === 'some';
        }}
        onChange={toggleAll}
      />
      <span aria-hidden="true">Select all</span>
    </label>
  );
}

function rowClass(isOpen: boolean, isDone = false): string | undefined {
  return [isOpen && 'is-open', isDone && 'is-done'].filter(Boolean).join(' ') || undefined;
}

function toggled(ids: ReadonlySet<number>, id: number): ReadonlySet<number> {
  const next = new Set(ids);
  if (!next.delete(id)) next.add(id);
  return next;
}
