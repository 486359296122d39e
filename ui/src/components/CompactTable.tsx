// A dense table of the office: one line a row, sorted by its headings, rows that can be chosen and that
// open in place. On a phone a row is one line that unfolds. The roles are spelled out because a table
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
  /** By what the server sorts this column. */
  sort?: string;
  /** What a folded row shows on a phone; everything else unfolds. */
  place?: 'lead' | 'side' | 'action';
  /** What a folded row says below it, out of a column that it does not show. */
  folded?: (row: Row) => ReactNode;
};

export type Selection = {
  has: (id: number) => boolean;
  toggle: (id: number) => void;
  toggleAll: () => void;
  /** Whether all rows of the page are chosen, some, or none. */
  state: 'all' | 'some' | 'none';
};

type CompactTableProps<Row> = {
  /** The id of the heading that names the table. */
  labelledBy: string;
  columns: CompactColumn<Row>[];
  rows: readonly Row[];
  /** By what the list is sorted, as its address says it. */
  sort?: { current: string; onSort: (sort: string) => void };
  selection?: Selection;
  /** What a row is called, for who hears its box and its button. */
  name: (row: Row) => string;
  /** What stands below a row that is open. */
  detail?: (row: Row) => ReactNode;
  /** Rows that need nobody any more, greyed. */
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

/** The box above the boxes of a page. */
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
