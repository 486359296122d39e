// The enrollments of one tab: decided rows stay in place, bulk selection, keyboard shortcuts.
import { useState } from 'react';
import { useUser } from '../../accounts/signedIn.ts';
import { failureWords, getRows, isSignedOut } from '../../api.ts';
import type { OfficeEnrollment } from '../../api-types.ts';
import type { Elements } from '../../components/elements.ts';
import { EmptyState } from '../../components/EmptyState.tsx';
import { ListCard } from '../../components/ListCard.tsx';
import { RefreshButton } from '../../components/RefreshButton.tsx';
import { SearchBox } from '../../components/SearchBox.tsx';
import { type Column, Table } from '../../components/Table.tsx';
import { showFailure } from '../../components/toasts.ts';
import { useAction } from '../../components/useAction.ts';
import { useSelection } from '../../components/useSelection.ts';
import { useStableRows } from '../../components/useStableRows.ts';
import { approveId } from '../ApproveButton.tsx';
import { isAmendment } from '../decisionResults.ts';
import { countsKey, officeEnrollmentsQuery, officeKey, unpricedKey } from '../queries.ts';
import type { BulkOutcome } from './bulk.ts';
import { BulkBar, type BulkVerb } from './BulkBar.tsx';
import { BulkDialogs } from './BulkDialogs.tsx';
import { type BulkDone, BulkResult, withoutDecision } from './BulkResult.tsx';
import { columnsOf } from './columns.tsx';
import { EnrollmentDetail } from './EnrollmentDetail.tsx';
import { KeysDialog } from './KeysDialog.tsx';
import { RowActions } from './RowActions.tsx';
import { useRowKeys } from './useRowKeys.ts';
import { enrollmentParameters, type TabName, type useEnrollmentsView } from './view.ts';
import '../../components/Bulk.css';
import './EnrollmentList.css';

type EnrollmentListProps = {
  titleId: string;
  title: string;
  controls: ReturnType<typeof useEnrollmentsView>;
  /** Filters beside the search. */
  tools?: Elements;
  noun: { one: string; many: string };
  failed: string;
  /** The empty state without a search. */
  empty: Elements;
  /** Set if the page shows the load failure and its Retry button. */
  isFailureTold?: boolean;
};

export function EnrollmentList(props: EnrollmentListProps) {
  const { titleId, title, controls, tools, noun, failed, empty, isFailureTold = false } = props;
  const { view, search, filter, turnTo } = controls;
  const options = officeEnrollmentsQuery(view);
  const held = useStableRows({
    options, listKey: officeKey, staleKeys: [['dashboard'], unpricedKey, countsKey], titleId, buttonId: approveId,
  });
  const { query, decisions, decidedCount } = held;
  const mayDecide = useUser().duties.includes('enrollments');
  const [verb, setVerb] = useState<BulkVerb | 'keys' | null>(null);
  const [done, setDone] = useState<BulkDone | null>(null);
  const open = query.data?.rows.filter(({ id }) => !decisions[id]) ?? [];
  const { selection, chosen: ticked, isPageChosen, chooseAll, keepOnly, clear } = useSelection(JSON.stringify(options.queryKey), open);
  // Exclude rows that were decided individually.
  const chosen = ticked.filter(({ id }) => !decisions[id]);
  const verbs: readonly BulkVerb[] = mayDecide ? bulkVerbs[view.tab] ?? [] : [];
  const isBulk = verbs.length > 0;

  const choosingAll = useAction({
    mutationFn: () => getRows(`/api/admin/enrollments${enrollmentParameters(view)}`),
    onSuccess: ({ rows }) => chooseAll(rows.filter(({ id }) => !decisions[id])),
    onError: (error) => !isSignedOut(error) && showFailure('Not all could be selected', failureWords(error, 'Please try again.')),
  });
  useRowKeys({
    '?': () => (setVerb('keys'), true),
    a: () => verbs[0] !== undefined && chosen.length > 0 && (setVerb(verbs[0]), true),
  });

  function finish(outcome: BulkOutcome, words: string) {
    held.keep(outcome.decided);
    setDone({ ...outcome, verb: words, names: new Map(chosen.map((row) => [row.id, nameOf(row)])) });
    keepOnly(new Set(outcome.failures.map(({ id }) => id)));
    setVerb(null);
  }

  function closeResult() {
    const hadFocus = document.activeElement?.closest('.bulk-result');
    setDone(null);
    if (hadFocus) document.getElementById(titleId)?.focus();
  }

  function takeBack(id: number, hadFocus: boolean) {
    held.takeBack(id, hadFocus);
    setDone((before) => before && withoutDecision(before, id));
  }

  if (query.isError && isFailureTold) return null;
  const isFiltered = view.q.trim() !== '' || view.grade !== '' || view.term !== '' || view.isReady;
  const columns = [...columnsOf(view.tab, decisions), ...(mayDecide ? [action({ ...held, takeBack })] : [])];
  return (
    <>
      {done && (
        <BulkResult
          key={done.undos[0]?.id}
          done={done}
          onUndone={(ids) => {
            held.release(ids);
            closeResult();
          }}
          onClose={closeResult}
        />
      )}
      <ListCard
        titleId={titleId}
        title={title}
        countText={(total) => counted(Math.max(0, total - decidedCount), noun)}
        // No search in an empty list.
        tools={(Boolean(query.data?.total) || isFiltered) && (
          <>
            <SearchBox label="Search by student or course..." value={view.q} onChange={search} />
            {tools}
            {isBulk && (
              <button type="button" className="icon-button keys-button" aria-label="Keys" title="Keys (?)" onClick={() => setVerb('keys')}>
                <kbd aria-hidden="true">?</kbd>
              </button>
            )}
          </>
        )}
        query={query}
        page={view.page}
        onTurn={turnTo}
        loading={`Loading ${noun.many}...`}
        failed={failed}
        empty={isFiltered ? <NoMatch noun={noun.one} /> : empty}
      >
        {(rows) => (
          <>
            <Table
              labelledBy={titleId}
              columns={columns}
              rows={rows}
              sort={{ current: view.sort, onSort: (sort) => filter({ sort }) }}
              selection={isBulk ? selection : undefined}
              name={nameOf}
              detail={detail}
              isDone={({ id }) => id in decisions}
            />
            <RefreshButton titleId={titleId} label="Show the next ones" decidedCount={decidedCount} onShow={held.showNext} />
          </>
        )}
      </ListCard>
      {chosen.length > 0 && (
        <BulkBar
          count={chosen.length}
          total={query.data?.total ?? 0}
          canChooseAll={isPageChosen && chosen.length < (query.data?.total ?? 0) - decidedCount}
          isChoosing={choosingAll.isPending}
          verbs={verbs}
          onChooseAll={() => choosingAll.run()}
          onDecide={setVerb}
          onClear={clear}
        />
      )}
      {verb === 'keys' && <KeysDialog onClose={() => setVerb(null)} />}
      {verb && verb !== 'keys' && <BulkDialogs verb={verb} rows={chosen} onDone={finish} onClose={() => setVerb(null)} />}
    </>
  );
}

/** What many rows of a tab allow at once. */
const bulkVerbs: Partial<Record<TabName, readonly BulkVerb[]>> = {
  waiting: ['approve', 'waitlist', 'decline'],
  waitlisted: ['approve', 'decline'],
  transfer: ['move'],
};

const nameOf = ({ studentName, courseCode }: OfficeEnrollment) => `${studentName}, ${courseCode}`;

const detail = (row: OfficeEnrollment) => <EnrollmentDetail enrollment={row} />;

type HeldRows = Pick<ReturnType<typeof useStableRows<OfficeEnrollment, readonly unknown[]>>, 'decisions' | 'decide' | 'amend' | 'takeBack'>;

const action = ({ decisions, decide, amend, takeBack }: HeldRows): Column<OfficeEnrollment> => ({
  label: 'Action',
  place: 'action',
  cell: (row) => (
    <RowActions
      enrollment={row}
      decision={decisions[row.id]}
      onDecided={(decided, hadFocus) => (isAmendment(decided, row) ? amend(row.id, decided.now ?? {}) : decide(row.id, decided, hadFocus))}
      onUndone={(hadFocus) => takeBack(row.id, hadFocus)}
    />
  ),
});

function counted(count: number, { one, many }: EnrollmentListProps['noun']): string {
  return count === 1 ? `1 ${one}` : `${count} ${many}`;
}

function NoMatch({ noun }: { noun: string }) {
  return (
    <EmptyState icon="search" title={`No ${noun} matches your search`}>
      <p>Try a name, an email address or a course code.</p>
    </EmptyState>
  );
}
