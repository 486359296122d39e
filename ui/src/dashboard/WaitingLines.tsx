// What waits for the office: one line for each kind that the role can act on, with its number and since when.
import { useState } from 'react';
import { Link } from 'react-router';
import type { WaitingKind, WaitingLine } from '../api-types.ts';
import { dateText, shortDayText } from '../dates.ts';
import { useSchool } from '../school/queries.ts';
import { waitingWords } from './waitingWords.ts';

/**
 * The kinds are those of which something waits when the page is opened: below stand rows, which never move. The
 * numbers follow what is done.
 */
export function WaitingLines({ lines, isFailed }: { lines: WaitingLine[] | undefined; isFailed: boolean }) {
  const [shown, setShown] = useState<WaitingKind[] | 'failed' | null>(null);
  if (!shown && (lines || isFailed)) setShown(lines?.filter(({ count }) => count > 0).map(({ kind }) => kind) ?? 'failed');
  // A role that can act on nothing is told of nothing.
  if (!lines?.length || !shown || shown === 'failed') return null;
  return (
    <section className="waits" aria-labelledby="what-waits">
      <h2 id="what-waits">To Do</h2>
      {shown.length === 0 && <p>Nothing to do. New requests and messages appear here.</p>}
      <ul>
        {lines.filter(({ kind }) => shown.includes(kind)).map((line) => <Line key={line.kind} line={line} />)}
      </ul>
    </section>
  );
}

function Line({ line: { kind, count, oldest, href } }: { line: WaitingLine }) {
  const { timeZone } = useSchool();
  const day = oldest?.includes('T') ? shortDayText(oldest, timeZone, '') : dateText(oldest, '');
  return (
    <li>
      <Link className="card" to={href}>
        <strong>{count}</strong>
        <span>{` ${waitingWords(kind, count)} `}</span>
        <small>{day ? `since ${day}` : 'Done'}</small>
      </Link>
    </li>
  );
}
