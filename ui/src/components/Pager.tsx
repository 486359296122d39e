// The pager of a list. Absent if everything fits on one page.
import { useEffect } from 'react';
import { pageCount, rows_per_page } from './useListView.ts';
import './Pager.css';

type PagerProps = {
  page: number;
  /** Total number of rows; undefined while loading. */
  total: number | undefined;
  onTurn: (page: number) => void;
};

export function Pager({ page, total, onTurn }: PagerProps) {
  const last = total === undefined ? page : pageCount(total);
  // The page may no longer exist, or never have existed.
  useEffect(() => {
    if (page > last) onTurn(last);
  });

  if (total === undefined || last === 1) return null;
  const first = (page - 1) * rows_per_page + 1;
  return (
    <nav className="cluster ruled pager" aria-label="Pages">
      <p role="status">{`${first} to ${Math.min(page * rows_per_page, total)} of ${total}`}</p>
      <button type="button" className="button button-outline" disabled={page <= 1} onClick={() => onTurn(page - 1)}>
        Previous
      </button>
      <button type="button" className="button button-outline" disabled={page >= last} onClick={() => onTurn(page + 1)}>
        Next
      </button>
    </nav>
  );
}
