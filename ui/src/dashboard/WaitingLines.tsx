// The office's to-do list in two groups, by whose turn it is: a line per kind that the role can act on, with its count
// and oldest date.
import { useState } from 'react';
import { Link } from 'react-router';
import type { WaitingGroup, WaitingKind, WaitingLine } from '../api-types.ts';
import { wordsOf } from '../closedSets.ts';
import { dateText, schoolDay, shortDayText } from '../dates.ts';
import { useSchool } from '../school/queries.ts';
import { daysSince, waitingWords } from './waitingWords.ts';

const groups = { us: 'Waiting on us', them: 'Waiting on them' } satisfies Record<WaitingGroup, string>;

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
      <div>
        {shown.length === 0 && <p>Nothing to do. New requests and messages appear here.</p>}
        {wordsOf(groups).map((group) => <Group key={group} group={group} lines={lines.filter((line) => line.group === group && shown.includes(line.kind))} />)}
      </div>
    </section>
  );
}

function Group({ group, lines }: { group: WaitingGroup; lines: WaitingLine[] }) {
  if (lines.length === 0) return null;
  return (
    <div>
      <h3 id={`waits-${group}`}>{groups[group]}</h3>
      <ul aria-labelledby={`waits-${group}`}>{lines.map((line) => <Line key={line.kind} line={line} />)}</ul>
    </div>
  );
}

function Line({ line: { kind, group, count, oldest, href } }: { line: WaitingLine }) {
  const { timeZone } = useSchool();
  const day = oldest?.includes('T') ? shortDayText(oldest, timeZone, '') : dateText(oldest, '');
  // A day to come is one by which it is to be done.
  const isAhead = oldest !== null && !oldest.includes('T') && oldest > schoolDay(timeZone);
  const days = group === 'them' && count > 0 && oldest !== null ? daysSince(oldest) : 0;
  return (
    <li>
      <Link to={href} title={day && `${isAhead ? 'by' : 'since'} ${day}`}>
        <strong>{count}</strong>
        <span>{` ${waitingWords(kind, count)} `}</span>
        {count === 0 && <small>Done</small>}
        {isAhead && <small>{`by ${day}`}</small>}
        {days > 0 && <small>{days === 1 ? '1 day' : `${days} days`}</small>}
      </Link>
    </li>
  );
}
