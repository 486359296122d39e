// The office's to-do list: a line per kind that the role can act on, with its count and oldest date.
import { useState } from 'react';
import { Link } from 'react-router';
import type { WaitingKind, WaitingLine } from '../api-types.ts';
import { dateText, schoolDay, shortDayText } from '../dates.ts';
import { useSchool } from '../school/queries.ts';
import { waitingWords } from './waitingWords.ts';

/**
 * The kinds are fixed when the page is opened, so that the rows below never move. The counts are live.
 */
export function WaitingLines({ lines, isFailed }: { lines: WaitingLine[] | undefined; isFailed: boolean }) {
  const [shown, setShown] = useState<WaitingKind[] | 'failed' | null>(null);
  if (!shown && (lines || isFailed)) setShown(lines?.filter(({ count }) => count > 0).map(({ kind }) => kind) ?? 'failed');
  // Hidden for roles that can act on nothing.
  if (!lines?.length || !shown || shown === 'failed') return null;
  return (
    <section aria-labelledby="what-waits">
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
  // A day to come is one by which it is to be done.
  const isAhead = oldest !== null && !oldest.includes('T') && oldest > schoolDay(timeZone);
  return (
    <li>
      <Link to={href} title={day && `${isAhead ? 'by' : 'since'} ${day}`}>
        <strong>{count}</strong>
        <span>{` ${waitingWords(kind, count)} `}</span>
        {!day && <small>Done</small>}
        {isAhead && <small>{`by ${day}`}</small>}
      </Link>
    </li>
  );
}
