// The list of privacy requests, open ones first, with the days left by law.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { flushSync } from 'react-dom';
import { Link } from 'react-router';
import type { ListedPrivacyRequest as Row } from '../api-types.ts';
import { ActionMenu } from '../components/ActionMenu.tsx';
import { EmptyState } from '../components/EmptyState.tsx';
import { DownloadLink } from '../components/GuardedLinks.tsx';
import { Icon } from '../components/Icon.tsx';
import { ListCard } from '../components/ListCard.tsx';
import { type Column, Table } from '../components/Table.tsx';
import { dateText, momentText } from '../dates.ts';
import { officePaths } from '../officePaths.ts';
import { useSchool } from '../school/queries.ts';
import { DecideDialog } from './DecideDialog.tsx';
import { NoteRequestDialog } from './NoteRequestDialog.tsx';
import { requestsQuery } from './queries.ts';
import { askers, daysText, daysTone, requestKinds, requestTones } from './words.ts';

const titleId = 'privacy-requests';

export function RequestPanel() {
  const requests = useQuery(requestsQuery);
  const [isNoting, setIsNoting] = useState(false);
  return (
    <>
      <ListCard
        titleId={titleId}
        title="Requests"
        countText={(total) => (total === 1 ? '1 request' : `${total} requests`)}
        tools={<button type="button" className="button button-outline" onClick={() => setIsNoting(true)}><Icon name="plus" /> Record a Request</button>}
        query={requests}
        loading="Loading the requests..."
        failed="Failed to load the requests. Please try again later."
        empty={
          <EmptyState icon="check" title="No requests waiting">
            <p>Students send requests from their “Account” page. Record requests by phone or on paper here.</p>
          </EmptyState>
        }
      >
        {(rows) => (
          <Table
            labelledBy={titleId}
            rows={rows}
            columns={columns}
            name={({ student, kind }) => `${requestKinds[kind]}: ${student.fullName ?? student.email}`}
            isDone={({ status }) => status !== 'open'}
            detail={detail}
          />
        )}
      </ListCard>
      {isNoting && <NoteRequestDialog onClose={() => setIsNoting(false)} />}
    </>
  );
}

const columns: Column<Row>[] = [
  { label: 'Student', place: 'lead', cell: ({ student }) => <Link to={officePaths.student(student.id)}><bdi>{student.fullName ?? student.email}</bdi></Link>, folded: ({ kind }) => requestKinds[kind] },
  { label: 'Request', from: 'tablet', cell: ({ kind }) => requestKinds[kind] },
  { label: 'Received', from: 'desk', cell: ({ receivedOn }) => dateText(receivedOn, '–') },
  { label: 'Due', from: 'tablet', cell: ({ dueOn }) => dateText(dueOn, '–') },
  { label: 'State', cell: (row) => <State row={row} /> },
  { label: 'Actions', place: 'action', cell: (row) => <Decide row={row} /> },
];

const detail = (row: Row) => <Detail row={row} />;

function State({ row: { daysLeft, status } }: { row: Row }) {
  if (daysLeft === null) return <span className={`badge tone-${requestTones[status]}`}>{status}</span>;
  return <span className={`badge tone-${daysTone(daysLeft)}`}>{daysText(daysLeft)}</span>;
}

function Decide({ row }: { row: Row }) {
  const client = useQueryClient();
  const [decision, setDecision] = useState<'grant' | 'refuse' | null>(null);

  /** A decided row has no button: the focus moves to the next open one. */
  function close() {
    flushSync(() => setDecision(null));
    const rows = client.getQueryData(requestsQuery.queryKey)?.rows ?? [];
    if (rows.find(({ id }) => id === row.id)?.status === 'open') return;
    const next = nextToDecide(rows, row);
    const target = next && document.querySelector<HTMLElement>(`[aria-labelledby="${titleId}"] [data-row="${next.id}"]`);
    (target ?? document.getElementById(titleId))?.focus();
  }

  if (row.status !== 'open') return null;
  const name = row.student.fullName ?? row.student.email;
  return (
    <>
      <ActionMenu
        label={`Actions for the request of ${name}`}
        isCompact
        items={[
          { label: 'Grant...', onPress: () => setDecision('grant') },
          { label: 'Refuse...', onPress: () => setDecision('refuse') },
        ]}
      />
      {decision && <DecideDialog request={row} decision={decision} onClose={close} />}
    </>
  );
}

/** Open requests are sorted by due date: the next one is due no earlier, or is the first. */
export function nextToDecide(rows: readonly Row[], { id, dueOn }: Row): Row | undefined {
  const waiting = rows.filter((row) => row.status === 'open' && row.id !== id);
  return waiting.find((row) => row.dueOn >= dueOn) ?? waiting[0];
}

function Detail({ row }: { row: Row }) {
  const { timeZone } = useSchool();
  const { student, details, askedBy, notedBy, decidedAt, decidedBy, decision, status } = row;
  return (
    <div className="privacy-detail">
      <p>
        <span>{`Requested by: ${askers[askedBy].toLowerCase()}`}</span>{notedBy && <><span>, recorded by </span><bdi>{notedBy}</bdi></>}<span>.</span>
        {decidedAt && <span>{` ${status === 'withdrawn' ? 'Withdrawn' : `Decided by ${decidedBy ?? '–'}`}, ${momentText(decidedAt, timeZone)}.`}</span>}
      </p>
      {details && <blockquote className="written" dir="auto">{details}</blockquote>}
      {decision && <p>The person was told: <q dir="auto">{decision}</q></p>}
      <p><DownloadLink href={`/api/admin/students/${student.id}/archive`}>Download everything held about this student (ZIP)</DownloadLink></p>
    </div>
  );
}
