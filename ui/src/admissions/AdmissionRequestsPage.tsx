// The list of admission requests, newest first, with bulk decisions.
import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import type { Prefetch } from '../accounts/guards.ts';
import { useUser } from '../accounts/signedIn.ts';
import { failureWords, isSignedOut } from '../api.ts';
import { EmptyState } from '../components/EmptyState.tsx';
import { FilterSelect } from '../components/FilterSelect.tsx';
import { DownloadLink } from '../components/GuardedLinks.tsx';
import { Icon } from '../components/Icon.tsx';
import { ListCard } from '../components/ListCard.tsx';
import { loadPart } from '../components/loadPart.ts';
import { PageHead } from '../components/PageHead.tsx';
import { RefreshButton } from '../components/RefreshButton.tsx';
import { SearchBox } from '../components/SearchBox.tsx';
import { type Column, Table } from '../components/Table.tsx';
import type { Elements } from '../components/elements.ts';
import { showFailure } from '../components/toasts.ts';
import { useAction } from '../components/useAction.ts';
import { useDialogPart } from '../components/useDialogPart.ts';
import { useSelection } from '../components/useSelection.ts';
import { useStableRows } from '../components/useStableRows.ts';
import { shortDayText, type Zone } from '../dates.ts';
import { messageQuery } from '../messages/queries.ts';
import { officePaths } from '../officePaths.ts';
import { paths } from '../paths.ts';
import { useSchool } from '../school/queries.ts';
import type { BulkVerb } from './decisions.ts';
import { admissionRequestsQuery, requestCountsQuery, requestsKey, requestsSheet } from './queries.ts';
import { RequestAge } from './RequestAge.tsx';
import { RequestChips } from './RequestChips.tsx';
import { type BulkDone, RequestsResult } from './RequestsResult.tsx';
import { canBeInvited, canBeReminded, isOpen, nameOf, type QuickVerb } from './requests.ts';
import { RequestStatus } from './RequestStatus.tsx';
import { RequestTurn } from './RequestTurn.tsx';
import { splitName } from './splitName.ts';
import { readRequestsView, useRequestsView } from './useRequestsView.ts';
import type { RequestRow } from './wire.ts';
import '../components/Bulk.css';

const titleId = 'admission-requests';
const none: never[] = [];

export const prefetch: Prefetch = (client, parameters) => [client.prefetchQuery(admissionRequestsQuery(readRequestsView(parameters))), client.prefetchQuery(requestCountsQuery)];

export function AdmissionRequestsPage() {
  const { view, search, toggle, wait, assign, turnTo } = useRequestsView();
  const counts = useQuery(requestCountsQuery).data;
  const options = admissionRequestsQuery(view);
  const held = useStableRows({ options, listKey: [...requestsKey, 'requests'], staleKeys: [['dashboard']], titleId, buttonId: (id) => `request-${id}` });
  const { query, decisions, decidedCount } = held;
  const { duties, id: userId } = useUser();
  const mayDecide = duties.includes('enrollments');
  const { timeZone } = useSchool();
  const colleagues = counts?.assignees ?? none;
  const open = query.data?.rows.filter((row) => (isOpen(row.status) || canBeInvited(row)) && !decisions[row.id]) ?? [];
  const { selection, chosen, keepOnly, clear } = useSelection(JSON.stringify(options.queryKey), open);
  const [verb, setVerb] = useState<BulkVerb | null>(null);
  const bulk = useDialogPart(() => import('./BulkDialog.tsx'));
  const entering = useDialogPart(() => import('./NewRequestDialog.tsx'));
  const [done, setDone] = useState<BulkDone | null>(null);
  const navigate = useNavigate();
  // A message that becomes an application.
  const messageId = Number(useSearchParams()[0].get('message'));
  const message = useQuery({ ...messageQuery(messageId), enabled: mayDecide && messageId > 0 }).data;
  const openEntry = useEffectEvent(entering.open);
  useEffect(() => {
    if (message) openEntry();
  }, [message]);

  function finish(result: BulkDone) {
    held.keep(result.decided);
    keepOnly(new Set(result.failures.map(({ id }) => id)));
    setDone(result);
  }
  const acting = useAction<BulkDone, { act: QuickVerb; rows: readonly RequestRow[] }>({
    mutationFn: async ({ act, rows }) => (await loadPart(() => import('./atOnce.ts'))).atOnce[act](rows),
    onSuccess: finish,
    onError: (error) => !isSignedOut(error) && showFailure('Nothing was sent', failureWords(error, 'Please try again.')),
  });
  const press = (act: QuickVerb, rows: readonly RequestRow[]) => acting.run({ act, rows });

  const quickAct = (row: RequestRow) => (decisions[row.id] || !mayDecide || !hasQuickAct(row) ? null : <QuickAct row={row} press={press} />);

  function decide(next: BulkVerb) {
    setVerb(next);
    bulk.open();
  }

  return (
    <>
      <PageHead
        eyebrow="Today"
        title="Admission Requests"
        actions={
          <>
            <Link className="button button-outline" to={paths.adminDashboard}>Back to Dashboard</Link>
            {mayDecide && <button type="button" className="button button-primary" onClick={entering.open}><Icon name="plus" /> New Request</button>}
          </>
        }
      />
      {done && (
        <RequestsResult
          key={done.undo?.id}
          done={done}
          onUndone={() => {
            held.release(Object.keys(decisions).map(Number));
            void held.showNext();
            setDone(null);
          }}
          onClose={() => setDone(null)}
        />
      )}
      <RequestChips counts={counts} view={view} onToggle={toggle} onWait={wait} />
      <ListCard
        titleId={titleId}
        title="Requests"
        countText={(total) => (total === 1 ? '1 request' : `${total} requests`)}
        tools={
          <>
            <SearchBox label="Search by name, email or reference..." value={view.q} onChange={search} />
            {(colleagues.length > 0 || view.assignee !== '') && <FilterSelect label="Assigned to" options={assigneeOptions(colleagues, userId)} value={view.assignee} onChange={assign} />}
            <DownloadLink className="button button-outline" href={requestsSheet(view)}>CSV</DownloadLink>
          </>
        }
        query={query}
        page={view.page}
        onTurn={turnTo}
        loading="Loading requests..."
        failed="Failed to load admission requests. Please try again later."
        empty={<NoRequests isFiltered={view.q.trim() !== '' || view.states.length > 0 || view.waits !== '' || view.assignee !== ''} />}
      >
        {(rows) => (
          <>
            <Table
              labelledBy={titleId}
              columns={columnsFor(timeZone, userId, quickAct)}
              rows={rows}
              name={nameOf}
              selection={mayDecide ? selection : undefined}
              isDone={({ id }) => id in decisions}
            />
            <RefreshButton titleId={titleId} label="Show the next ones" decidedCount={decidedCount} onShow={held.showNext} />
          </>
        )}
      </ListCard>
      {chosen.length > 0 && (
        <div className="floats cluster bulk-bar" role="group" aria-label="Bulk actions">
          <p role="status"><strong>{`${chosen.length} selected`}</strong></p>
          {chosen.some(canBeReminded) && <button type="button" className="button button-primary" aria-disabled={acting.isPending} onClick={() => press('remind', chosen)}>Remind</button>}
          {chosen.some(canBeInvited) && <button type="button" className="button button-primary" aria-disabled={acting.isPending} onClick={() => press('invite', chosen)}>Invite again</button>}
          {chosen.some(({ status }) => isOpen(status)) && (
            <>
              <button type="button" className="button button-outline" onClick={() => decide('ask')}>Ask…</button>
              <button type="button" className="button button-outline" onClick={() => decide('waitlist')}>Waiting list…</button>
              <button type="button" className="button button-outline" onClick={() => decide('decline')}>Decline…</button>
            </>
          )}
          <button type="button" className="button button-quiet" onClick={clear}>Clear</button>
        </div>
      )}
      {verb && bulk.part && (
        <bulk.part.BulkDialog
          verb={verb}
          rows={chosen}
          onClose={bulk.close}
          onDone={(result) => {
            bulk.close();
            finish(result);
          }}
        />
      )}
      {entering.part && (
        <entering.part.NewRequestDialog
          {...(message && { messageId: message.id, begun: { ...splitName(message.name), email: message.email, phone: message.phone ?? '', message: message.message } })}
          onClose={() => {
            entering.close();
            if (message) void navigate(officePaths.requests, { replace: true });
          }}
        />
      )}
    </>
  );
}

function NoRequests({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) {
    return (
      <EmptyState icon="search" title="No requests found">
        <p>No requests match your search. Try different keywords or other filters.</p>
      </EmptyState>
    );
  }
  return (
    <EmptyState icon="inbox" title="No admission requests yet">
      <p>Families apply on the website. You can also enter a request by hand.</p>
    </EmptyState>
  );
}

function columnsFor(timeZone: Zone, userId: number, quickAct: (row: RequestRow) => Elements): Column<RequestRow>[] {
  return [
    { label: 'Student', place: 'lead', cell: (row) => <Applicant row={row} />, folded: (row) => `Grade ${row.grade} · ${row.status.replace('_', ' ')}` },
    { label: 'Grade', isNumber: true, from: 'tablet', cell: (row) => row.grade },
    { label: 'Email', place: 'rest', from: 'desk', cell: (row) => <bdi title={row.email}>{row.email}</bdi> },
    { label: 'Received', isNumber: true, from: 'desk', cell: (row) => shortDayText(row.createdAt, timeZone, 'Unknown date') },
    { label: 'Status', from: 'tablet', cell: (row) => <><RequestStatus status={row.status} /> <RequestTurn row={row} /></> },
    { label: 'Waiting', isNumber: true, from: 'tablet', cell: (row) => <RequestAge row={row} /> },
    { label: 'Assigned', from: 'desk', cell: ({ assignee }) => (assignee === null ? '–' : assignee.id === userId ? 'You' : assignee.username) },
    {
      label: 'Action',
      place: 'action',
      cell: (row) => (
        <span className="nowrap">
          {quickAct(row)}
          {' '}
          <Link id={`request-${row.id}`} className="button button-outline" aria-label={`View Request: ${nameOf(row)}`} to={officePaths.request(row.id)}><span>View</span>{quickAct(row) === null && <span className="tablet-word">Request</span>}</Link>
        </span>
      ),
    },
  ];
}

const hasQuickAct = (row: RequestRow) => canBeReminded(row) || canBeInvited(row);

/** What is done with one press, from the row itself. */
function QuickAct({ row, press }: { row: RequestRow; press: (act: QuickVerb, rows: readonly RequestRow[]) => void }) {
  if (canBeReminded(row)) return <button type="button" className="button button-outline" aria-label={`Remind: ${nameOf(row)}`} onClick={() => press('remind', [row])}>Remind</button>;
  if (canBeInvited(row)) return <button type="button" className="button button-outline" aria-label={`Invite again: ${nameOf(row)}`} onClick={() => press('invite', [row])}>Invite again</button>;
  return null;
}

function assigneeOptions(colleagues: readonly { id: number; username: string }[], userId: number) {
  const named = colleagues.map(({ id, username }) => ({ value: String(id), label: id === userId ? 'You' : username }));
  return [{ value: '', label: 'Assigned to anyone' }, { value: 'none', label: 'Not assigned' }, ...named];
}

function Applicant({ row }: { row: RequestRow }) {
  return (
    <>
      <Link to={officePaths.request(row.id)}><strong dir="auto">{nameOf(row)}</strong></Link>
      <small className="nowrap">{` ${row.reference ?? ''}`}</small>
      {row.isDuplicate && <small className="flag" title="Possible duplicate"> duplicate?</small>}
      {row.lookTwice && <small className="flag" title="A program may have sent this"> look twice</small>}
    </>
  );
}
