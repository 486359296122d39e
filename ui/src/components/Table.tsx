// The table of every office list: one line per row, sortable columns, selectable and expandable rows. On narrow screens
// columns move into the expanded row.
import { Fragment, type ReactNode, useState } from 'react';
import { Icon } from './Icon.tsx';
import { SortButton, sortOf } from './SortButton.tsx';
import './Table.css';

export type Column<Row> = {
  label: string;
  cell: (row: Row) => ReactNode;
  /** The id of the cell's content, for `aria-describedby` of the row's buttons. */
  id?: (row: Row) => string;
  /** The sort key, as in the address. */
  sort?: string;
  /** Aligned at the end, with tabular figures. */
  isNumber?: true;
  /** `lead` names the row and wraps; `side` and `rest` share the remaining width and are cut with an ellipsis. */
  place?: 'lead' | 'side' | 'rest' | 'action';
  /** The narrowest layout that shows the column; below it the value is in the expanded row. */
  from?: 'tablet' | 'desk';
  /** A second line on phones, from columns that are hidden there. */
  folded?: (row: Row) => ReactNode;
};

export type Selection = {
  has: (id: number) => boolean;
  toggle: (id: number) => void;
  toggleAll: () => void;
  /** Whether all rows of the page are selected, some, or none. */
  state: 'all' | 'some' | 'none';
};

type TableProps<Row> = {
  /** The id of the heading that names the table. */
  labelledBy: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  /** The row's name, for the labels of its checkbox and button. */
  name: (row: Row) => string;
  sort?: { current: string; onSort: (sort: string) => void };
  selection?: Selection | undefined;
  /** Consecutive rows with the same key share a heading. */
  group?: { key: (row: Row) => string; heading: (rows: readonly Row[]) => ReactNode };
  /** The content of an expanded row. */
  detail?: (row: Row) => ReactNode;
  /** Whether a row needs no more attention and is greyed. */
  isDone?: (row: Row) => boolean;
  className?: string;
};

export function Table<Row extends { id: number }>(props: TableProps<Row>) {
  const { labelledBy, columns, rows, name, sort, selection, group, detail, isDone, className = '' } = props;
  const [openIds, setOpenIds] = useState<ReadonlySet<number>>(new Set());
  const toggle = (id: number) => setOpenIds((before) => toggled(before, id));
  const hidden = columns.filter(({ from }) => from);
  const opener = detail ? 'table-more' : hidden.length > 0 ? 'table-more is-narrow' : null;
  const span = columns.length + (selection ? 1 : 0) + (opener ? 1 : 0);
  return (
    <table className={`table ${className}`} aria-labelledby={labelledBy}>
      <thead>
        <tr>
          {selection && <th scope="col"><SelectAll selection={selection} /></th>}
          {columns.map(({ label, sort: by, isNumber, from, place }) => (
            <th scope="col" key={label} className={isNumber && 'number'} data-place={place === 'action' ? place : undefined} data-from={from} aria-sort={sort && by ? sortOf(sort.current, by) : undefined}>
              {sort && by ? <SortButton label={label} column={by} {...sort} /> : label}
            </th>
          ))}
          {opener && <th scope="col" className={opener}><span className="sr-only">More</span></th>}
        </tr>
      </thead>
      {grouped(rows, group?.key).map((some) => (
        <tbody key={some[0] && group ? group.key(some[0]) : ''}>
          {group && <tr><th scope="rowgroup" colSpan={span}>{group.heading(some)}</th></tr>}
          {some.map((row) => {
            const isOpen = openIds.has(row.id);
            return (
              <Fragment key={row.id}>
                <tr tabIndex={-1} data-row={row.id} className={rowClass(isOpen, isDone?.(row))}>
                  {selection && (
                    <td>
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
                  {columns.map(({ label, cell, id, place, isNumber, from, folded }) => (
                    <td key={label} className={isNumber && 'number'} data-label={label} data-place={place} data-from={from}>
                      <div id={id?.(row)}>{folded ? <><span>{cell(row)}</span><small className="folded">{folded(row)}</small></> : cell(row)}</div>
                    </td>
                  ))}
                  {opener && (
                    <td className={opener}>
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
                  )}
                </tr>
                {isOpen && (
                  <tr className="table-detail">
                    <td colSpan={span}>
                      <dl className="pairs">
                        {hidden.map(({ label, cell, from }) => <div key={label} data-from={from}><dt>{label}</dt><dd>{cell(row)}</dd></div>)}
                      </dl>
                      <div>{detail?.(row)}</div>
                    </td>
                  </tr>
                )}
              </Fragment>
            );
          })}
        </tbody>
      ))}
    </table>
  );
}

/** Selects or clears all rows of the page. */
function SelectAll({ selection: { state, toggleAll } }: { selection: Selection }) {
  return (
    <input
      type="checkbox"
      aria-label="Select all on this page"
      checked={state === 'all'}
      ref={(box) => {
        if (box) box.indeterminate = state === 'some';
      }}
      onChange={toggleAll}
    />
  );
}

/** Splits rows where the key changes; one group without a key. */
function grouped<Row>(rows: readonly Row[], key: ((row: Row) => string) | undefined): Row[][] {
  const groups: Row[][] = [];
  for (const [at, row] of rows.entries()) {
    const before = rows[at - 1];
    if (before && (!key || key(before) === key(row))) groups.at(-1)?.push(row);
    else groups.push([row]);
  }
  return groups;
}

function rowClass(isOpen: boolean, isDone = false): string | undefined {
  return [isOpen && 'is-open', isDone && 'is-done'].filter(Boolean).join(' ') || undefined;
}

function toggled(ids: ReadonlySet<number>, id: number): ReadonlySet<number> {
  const next = new Set(ids);
  if (!next.delete(id)) next.add(id);
  return next;
}
