// A list card of the office: search, filters, one page of rows with its states, and the pager.
import type { UseQueryResult } from '@tanstack/react-query';
import { useRef } from 'react';
import type { Rows } from '../api.ts';
import { LoadFailed } from './LoadFailed.tsx';
import { Pager } from './Pager.tsx';
import { Spinner } from './Spinner.tsx';
import type { Elements } from './elements.ts';
import './ListCard.css';

type ListCardProps<Row> = {
  titleId: string;
  title: string;
  /** "1 message", "158 messages". */
  countText: (total: number) => string;
  /** Search field and filters. */
  tools?: Elements;
  query: UseQueryResult<Rows<Row>>;
  /** Absent if the server sends the whole list. */
  page?: number;
  onTurn?: (page: number) => void;
  loading: string;
  failed: string;
  /** The empty state. */
  empty: Elements;
  children: (rows: Row[]) => Elements;
};

export function ListCard<Row>(props: ListCardProps<Row>) {
  const { titleId, title, countText, tools, query, page, onTurn, loading, failed, empty, children } = props;
  const heading = useRef<HTMLHeadingElement>(null);
  const rows = query.data?.rows ?? [];
  const total = query.data?.total;

  function turn(next: number) {
    onTurn?.(next);
    // Scroll to the top of the next page; a page that no longer exists is left automatically.
    if (document.activeElement?.closest('.pager')) heading.current?.focus();
  }

  return (
    <section className="card list-card" aria-labelledby={titleId}>
      <header className="row list-head">
        <div>
          <h2 id={titleId} ref={heading} tabIndex={-1}>{title}</h2>
          <p className="muted" role="status">{total !== undefined && countText(total)}</p>
        </div>
        {tools !== undefined && <div className="list-tools">{tools}</div>}
      </header>
      {query.isPending && <Spinner label={loading} />}
      {query.isError && <LoadFailed words={failed} query={query} heading={heading} />}
      {rows.length > 0 && <div className={query.isPlaceholderData ? 'is-stale' : undefined}>{children(rows)}</div>}
      {total === 0 && empty}
      {page !== undefined && <Pager page={page} total={total} onTurn={turn} />}
    </section>
  );
}
