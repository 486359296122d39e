// The lines of one import: those to review in one list, those that are done folded below it. From the first decision on
// each line stays in place, greyed and with Undo, so that the next press cannot hit another one, until the list is left
// or refreshed.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { failureWords } from '../../api.ts';
import type { KnownPayment, LineResult } from '../../api-types.ts';
import { ConfirmDialog } from '../../components/ConfirmDialog.tsx';
import { LoadFailed } from '../../components/LoadFailed.tsx';
import { loadPart } from '../../components/loadPart.ts';
import { moveFocus } from '../../components/movedFocus.ts';
import { RefreshButton } from '../../components/RefreshButton.tsx';
import { Spinner } from '../../components/Spinner.tsx';
import { type Column, Table } from '../../components/Table.tsx';
import { showFailure, showToast } from '../../components/toasts.ts';
import { useAction } from '../../components/useAction.ts';
import { useDialogPart } from '../../components/useDialogPart.ts';
import { useKeys } from '../../components/useKeys.ts';
import { refreshButtonId } from '../../components/useStableRows.ts';
import { momentText } from '../../dates.ts';
import { moneyText } from '../../money.ts';
import { useSchool } from '../../school/queries.ts';
import { actions, facts, headings, isFree, isOpen, openStates, pressGuard, type Row } from './BankLineColumns.tsx';
import { LeftOutLines } from './BankLeftOut.tsx';
import type { BankLineDialog } from './BankLineDialog.tsx';
import { decideLines, type LineDecision, statementQuery, sumOf, undoImport } from './bankQueries.ts';
import { moneyKeys } from '../moneyQueries.ts';
import './bankLines.css';

/** Where each line stood before the first decision, and how many were made since. */
type Kept = { places: Readonly<Record<number, string>>; decidedCount: number };

const titleId = 'bank-lines';
const plural = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;

export function BankLines({ id }: { id: number }) {
  const client = useQueryClient();
  const { timeZone } = useSchool();
  const statement = useQuery(statementQuery(id));
  const [kept, setKept] = useState<Kept | null>(null);
  const [isAsked, setAsked] = useState(false);
  const [reopened, setReopened] = useState<Row | null>(null);
  const [returned, setReturned] = useState<Row | null>(null);
  const payer = useDialogPart(() => import('../payments/PayerDialog.tsx'));
  const [choosing, setChoosing] = useState<{ line: Row; Dialog: typeof BankLineDialog; looksLike: KnownPayment | null } | null>(null);
  const [guard] = useState(pressGuard);
  const heading = useRef<HTMLHeadingElement>(null);
  const opening = useAction({
    mutationFn: async (line: Row) => ({ line, looksLike: null, Dialog: (await loadPart(() => import('./BankLineDialog.tsx'))).BankLineDialog }),
    onSuccess: setChoosing,
    onError: (error) => showFailure('That could not be opened', failureWords(error, error.message)),
  });
  const refresh = () => Promise.all(moneyKeys.map((queryKey) => client.invalidateQueries({ queryKey })));
  const deciding = useAction({
    mutationFn: async (decision: LineDecision) => {
      try {
        return await decideLines(id, decision);
      } finally {
        await refresh();
      }
    },
    onSuccess: (results, { verb, lines: decided }) => {
      const done = results.filter(({ ok }) => ok);
      const refused = results.find(({ ok }) => !ok)?.message ?? null;
      const known = results.find((one) => one.known)?.known;
      if (choosing && known && done.length === 0) return setChoosing({ ...choosing, looksLike: known });
      if (done.length === 0) return showFailure(failed[verb], refused ?? '');
      showToast(...doneWords(verb, done, refused));
      if (choosing || reopened || returned) guard.noteDialogClosed();
      flushSync(() => {
        setChoosing(null);
        setReopened(null);
        setReturned(null);
        setKept((before) => before && { ...before, decidedCount: before.decidedCount + done.length });
      });
      focusLine(verb === 'reopen' ? decided[0]?.lineId : nextOf(decided.map(({ lineId }) => lineId)));
    },
    onError: (error, { verb }) => {
      setReopened(null);
      setReturned(null);
      showFailure(failed[verb], failureWords(error, 'Please try again: nothing is recorded twice.'));
    },
  });
  const undoing = useAction({
    mutationFn: () => undoImport(id),
    onSuccess: ({ reversed, total, left }) => {
      const words = `${plural(reversed, 'payment', 'payments')} reversed: ${moneyText(total, '')}.`;
      if (left.length > 0) showFailure(`${plural(left.length, 'payment is', 'payments are')} left`, `${words} ${left.map(({ receiptNumber, message }) => `Receipt ${receiptNumber}: ${message}`).join(' ')}`);
      else showToast('Import undone', words);
      flushSync(() => setAsked(false));
      setKept(null);
      heading.current?.focus();
      void refresh();
    },
    onError: (error) => {
      setAsked(false);
      showFailure('The import was not undone', failureWords(error, 'Please try again.'));
      void refresh();
    },
  });
  const isBusy = deciding.isPending || undoing.isPending;

  const { account, importedAt = null, undoneAt = null, leftOut = [] } = statement.data ?? {};
  const lines = (statement.data?.lines ?? []) as Row[];
  const placeOf = ({ id: line, state }: Row) => kept?.places[line] ?? state;
  const listed = undoneAt ? [] : lines.filter((line) => openStates.includes(placeOf(line))).toSorted((a, b) => openStates.indexOf(placeOf(a)) - openStates.indexOf(placeOf(b)));
  const waiting = undoneAt ? [] : lines.filter(isOpen);
  const matched = listed.filter(({ state }) => state === 'matched');
  const standing = lines.flatMap(({ payments }) => payments.filter(({ voidedAt }) => voidedAt === null));
  const inPlace = (place: string) => lines.filter((line) => placeOf(line) === place);

  function decide(decision: LineDecision) {
    if (isBusy || guard.isLate()) return;
    setKept((before) => before ?? { places: Object.fromEntries(lines.map((line) => [line.id, line.state])), decidedCount: 0 });
    deciding.run(decision);
  }

  /** The next line to review after those, in the order of the list. */
  function nextOf(ids: number[]): number | undefined {
    const now = client.getQueryData(statementQuery(id).queryKey)?.lines as Row[] | undefined;
    const isNext = (line: Row) => now?.some((one) => one.id === line.id && isOpen(one));
    const last = listed.findLastIndex((line) => ids.includes(line.id));
    return [...listed.slice(last + 1), ...listed.slice(0, last + 1)].find(isNext)?.id;
  }

  function showNext() {
    setKept(null);
    heading.current?.focus();
    return Promise.resolve();
  }

  const acts = {
    record: ({ id: lineId, match }: Row) => decide({ verb: 'post', lines: [{ lineId, studentId: match?.studentId ?? 0 }] }),
    recordAgain: ({ id: lineId, match }: Row) => decide({ verb: 'post', lines: [{ lineId, studentId: match?.studentId ?? 0, again: true }] }),
    choose: (line: Row) => opening.run(line),
    ignore: ({ id: lineId }: Row) => decide({ verb: 'ignore', lines: [{ lineId }] }),
    same: ({ id: lineId }: Row) => decide({ verb: 'same', lines: [{ lineId }] }),
    reverse: (line: Row) => setReturned(line),
    reopen: (line: Row) => (isFree(line) ? decide({ verb: 'reopen', lines: [{ lineId: line.id }] }) : setReopened(line)),
  };
  useKeys(Object.fromEntries(['r', 's', 'o', 'i'].map((key) => [key, () => pressOf(key)])));

  if (statement.isError) return <LoadFailed words="Failed to load the lines. Please try again later." query={statement} heading={heading} />;
  if (!statement.data) return <Spinner label="Loading the lines..." />;
  const columns = [...facts, ...(undoneAt ? [] : [actions({ isBusy, ...acts })])];
  const folded = (place: string, words: string, isUnfolded = false) => <Folded name={place} words={words} isUnfolded={isUnfolded} rows={inPlace(place)} columns={columns} />;
  return (
    <section className="card list-card" aria-labelledby={titleId}>
      <header className="row list-head">
        <div>
          <h2 id={titleId} ref={heading} tabIndex={-1}><bdi>{account}</bdi>{importedAt && <span>{` · ${momentText(importedAt, timeZone)}`}</span>}</h2>
          <p className="muted" role="status">
            {undoneAt ? `Undone on ${momentText(undoneAt, timeZone)}. The file can be imported again.${standing.length > 0 ? ` ${leftWords(standing)}` : ''}` : waiting.length > 0 ? `${plural(waiting.length, 'line', 'lines')} to review` : doneSoFar(standing, leftOut.length)}
          </p>
        </div>
        <div className="list-tools">
          {listed.some((line) => placeOf(line) === 'matched') && (
            // It stays while the list is kept, so that the rows below it do.
            <button type="button" className="button button-primary" disabled={matched.length === 0} aria-disabled={isBusy} onClick={() => decide({ verb: 'post', lines: matched.map((line) => ({ lineId: line.id, studentId: line.match?.studentId ?? 0 })) })}>
              {deciding.isPending && deciding.variables.lines.length > 1 ? 'Recording...' : `Record All Matched (${matched.length} · ${moneyText(sumOf(matched), '')})`}
            </button>
          )}
          {(!undoneAt || standing.length > 0) && <button type="button" className="button button-outline" aria-disabled={isBusy} onClick={() => setAsked(true)}>{undoneAt ? 'Undo the Rest' : 'Undo Import'}</button>}
        </div>
      </header>
      {listed.length > 0 && (
        <Table
          labelledBy={titleId}
          className="bank-table"
          columns={columns}
          rows={listed}
          name={({ text }) => text}
          isDone={(line) => !isOpen(line)}
          group={{ key: placeOf, heading: (some) => groupWords(some[0] ? placeOf(some[0]) : '', some.filter(isOpen)) }}
        />
      )}
      {waiting.length > 0 && <p className="muted bank-keys"><kbd>R</kbd> records the line that has the focus, <kbd>O</kbd> chooses another student, <kbd>S</kbd> says it is the same, <kbd>I</kbd> ignores it.</p>}
      {folded('posted', 'Recorded', undoneAt !== null && standing.length > 0)}
      {folded('same', 'Recorded before')}
      {folded('reversed', 'Taken back by the bank')}
      {folded('ignored', 'Ignored')}
      {folded('seen', 'Already imported')}
      {leftOut.length > 0 && <LeftOutLines lines={leftOut} onEnter={payer.open} />}
      <RefreshButton titleId={titleId} label="Show the next ones" decidedCount={kept?.decidedCount ?? 0} onShow={showNext} />
      {choosing && (
        <choosing.Dialog
          line={choosing.line}
          looksLike={choosing.looksLike}
          isPending={deciding.isPending}
          onChosen={(parts) => decide({ verb: 'post', lines: parts })}
          onClose={() => setChoosing(null)}
        />
      )}
      {reopened && (
        <ConfirmDialog title="Undo this payment?" confirmLabel="Undo Payment" pendingLabel="Undoing..." isDangerous isPending={deciding.isPending} onConfirm={() => decide({ verb: 'reopen', lines: [{ lineId: reopened.id }] })} onClose={() => !deciding.isPending && setReopened(null)}>
          <p>{reversalWords(reopened.payments.filter(({ voidedAt }) => voidedAt === null))}</p>
          <p>The line is then up for review again.</p>
        </ConfirmDialog>
      )}
      {returned && (
        <ConfirmDialog title={`Reverse receipt ${returned.known?.receiptNumber ?? ''}?`} confirmLabel="Reverse Receipt" pendingLabel="Reversing..." isDangerous isPending={deciding.isPending} onConfirm={() => decide({ verb: 'returned', lines: [{ lineId: returned.id }] })} onClose={() => !deciding.isPending && setReturned(null)}>
          <p><span dir="auto">{returned.text}</span></p>
          <p>{`The payment of ${moneyText(-returned.amount, '')} by ${returned.known?.studentName ?? ''} will be reversed: what it paid is due again, and its receipt is void. The family is told by email.`}</p>
        </ConfirmDialog>
      )}
      {payer.part && <payer.part.PayerDialog onClose={payer.close} />}
      {isAsked && (
        <ConfirmDialog title="Undo this import?" confirmLabel="Undo Import" pendingLabel="Undoing..." isDangerous isPending={undoing.isPending} onConfirm={() => undoing.run()} onClose={() => !undoing.isPending && setAsked(false)}>
          <p>{standing.length > 0 ? `${reversalWords(standing)} A payment that was refunded, even in part, stays.` : 'No payment was recorded from it. Its lines leave the list.'}</p>
          <p>The file can be imported again afterwards.</p>
        </ConfirmDialog>
      )}
    </section>
  );
}

/** What reversing payments means for their families. */
const reversalWords = (payments: readonly { amount: number }[]) =>
  `${payments.length === 1 ? `1 payment of ${moneyText(sumOf(payments), '')} will be reversed, and its receipt` : `${payments.length} payments totalling ${moneyText(sumOf(payments), '')} will be reversed, and their receipts`} will be void. Receipts that wait are not sent; families who have theirs are told by email.`;

/** What the import of a file came to. */
const doneSoFar = (standing: readonly { amount: number }[], leftOut: number) =>
  ['All lines reviewed', ...(standing.length > 0 ? [`${plural(standing.length, 'payment', 'payments')} recorded, ${moneyText(sumOf(standing), '')}`] : []), ...(leftOut > 0 ? [`${plural(leftOut, 'line', 'lines')} left out`] : [])].join(' · ');

/** What an undone import leaves, and what to do about it. */
const leftWords = (left: { amount: number }[]) =>
  `${plural(left.length, 'payment', 'payments')} of ${moneyText(sumOf(left), '')} ${left.length === 1 ? 'is' : 'are'} left, because money was refunded: reverse that refund first, then undo the rest.`;

const failed = { post: 'Nothing was recorded', ignore: 'The line could not be ignored', same: 'Nothing was changed', returned: 'Nothing was reversed', reopen: 'Nothing was undone' };

function doneWords(verb: LineDecision['verb'], done: readonly LineResult[], refused: string | null): [string, string | null] {
  if (verb === 'post') return [`${plural(done.length, 'payment', 'payments')} recorded`, refused ?? 'The receipts will be sent in a moment.'];
  if (verb === 'same') return ['The same money', 'Nothing is recorded a second time.'];
  if (verb === 'returned') return ['Receipt reversed', 'What it paid is due again.'];
  return verb === 'ignore' ? ['Line ignored', null] : ['Undone', 'The line is up for review again.'];
}

/** Presses the button of a key in the line that has the focus, or in the first one to review. */
function pressOf(key: string) {
  const focused = document.activeElement?.closest('[data-row]');
  const row = focused?.closest(`[aria-labelledby='${titleId}']`) ? focused : document.querySelector(`[aria-labelledby='${titleId}'] [data-row]:not(.is-done)`);
  row?.querySelector<HTMLElement>(`button[aria-keyshortcuts='${key}']`)?.click();
}

/** "Matched by code · 2 lines · $1,200.00": what is still to be reviewed of a group. */
function groupWords(place: string, left: readonly Row[]): string {
  return `${headings[place as keyof typeof headings]} · ${left.length > 0 ? `${plural(left.length, 'line', 'lines')} · ${moneyText(sumOf(left), '')}` : 'all reviewed'}`;
}

/** Moves the focus to a line's first button that is shown, or where the list goes on. */
function focusLine(id: number | undefined) {
  const options = { preventScroll: !document.activeElement?.matches(':focus-visible') };
  for (const button of document.querySelectorAll<HTMLElement>(`[aria-labelledby='${titleId}'] [data-row='${id}'] button`)) {
    moveFocus(button, options);
    if (document.activeElement === button) return;
  }
  document.getElementById(refreshButtonId(titleId))?.focus(options);
}

type FoldedProps = { name: string; words: string; isUnfolded: boolean; rows: Row[]; columns: Column<Row>[] };

function Folded({ name, words, isUnfolded, rows, columns }: FoldedProps) {
  if (rows.length === 0) return null;
  return (
    <details className="bank-folded" open={isUnfolded}>
      <summary id={`bank-${name}`}>{`${words} (${rows.length})`}</summary>
      <Table labelledBy={`bank-${name}`} className="bank-table" columns={columns} rows={rows} name={({ text }) => text} />
    </details>
  );
}
