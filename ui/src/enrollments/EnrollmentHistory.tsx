// The history of an enrollment, loaded when it is unfolded.
import { useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useRef, useState } from 'react';
import { loadPart } from '../components/loadPart.ts';
import { LoadFailed } from '../components/LoadFailed.tsx';
import { Spinner } from '../components/Spinner.tsx';
import { dateText, dayText } from '../dates.ts';
import { useSchool } from '../school/queries.ts';
import { eventText } from './history.ts';
import { enrollmentHistoryQuery } from './queries.ts';

const LeavingSteps = lazy(async () => ({ default: (await loadPart(() => import('./LeavingSteps.tsx'))).LeavingSteps }));

/** Of one in an active course, also what leaving costs. */
export function EnrollmentHistory({ id, titleId, isActive }: { id: number; titleId: string; isActive: boolean }) {
  return (
    <>
      {isActive && <Unfolding titleId={titleId} summary="What leaving costs"><Suspense><LeavingSteps id={id} /></Suspense></Unfolding>}
      <Unfolding titleId={titleId} summary="History"><Events id={id} /></Unfolding>
    </>
  );
}

/** What is in it is loaded once it is unfolded. */
function Unfolding({ titleId, summary, children }: { titleId: string; summary: string; children: ReactNode }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details className="enrollment-history" onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary aria-describedby={titleId}><span>{summary}</span></summary>
      {isOpen && <div>{children}</div>}
    </details>
  );
}

function Events({ id }: { id: number }) {
  const query = useQuery(enrollmentHistoryQuery(id));
  const { timeZone } = useSchool();
  const list = useRef<HTMLDivElement>(null);
  return (
    <div ref={list} tabIndex={-1}>
      {query.isPending && <Spinner label="Loading the history..." />}
      {query.isError && <LoadFailed words="Failed to load the history. Please try again later." query={query} heading={list} />}
      <ol className="rows">
        {query.data?.map((event) => (
          <li key={event.id}>
            <strong>{eventText(event)}</strong>{' '}<small>{`${dayText(event.at, timeZone, '')}${event.effectiveOn ? `, from ${dateText(event.effectiveOn, '')}` : ''}`}</small>
            {event.reason && <q className="written">{event.reason}</q>}
          </li>
        ))}
      </ol>
    </div>
  );
}
