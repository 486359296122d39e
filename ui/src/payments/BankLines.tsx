// The lines of one import: what is to be decided in one list, what is done folded below it.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Link } from 'react-router';
import { failureWords } from '../api.ts';
import type { BankLine } from '../api-types.ts';
import { ConfirmDialog } from '../components/ConfirmDialog.tsx';
import { LoadFailed } from '../components/LoadFailed.tsx';
import { loadPart } from '../components/loadPart.ts';
import { Spinner } from '../components/Spinner.tsx';
import { type Column, Table } from '../components/Table.tsx';
import { showFailure, showToast } from '../components/toasts.ts';
import { useAction } from '../components/useAction.ts';
import { dateText, momentText } from '../dates.ts';
import { moneyText } from '../money.ts';
import { officePaths } from '../officePaths.ts';
import { useSchool } from '../school/queries.ts';
import type { BankLineDialog } from './BankLineDialog.tsx';
import { ignoreLine, type PostedLine, postLines, statementQuery, sumOf, undoImport } from './bankQueries.ts';
import { moneyKeys } from './moneyQueries.ts';
import { receiptPath } from './words.ts';
import './bank.css';

type Row = BankLine & { id: number };

const titleId = 'bank-lines';
const order = ['matched', 'suggested', 'unknown'] as const;
const headings = { matched: 'The code is in the text', suggested: 'The full name, and exactly what is due', unknown: 'Whose is it?' };
const openStates: readonly string[] = order;
const plural = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;

export function BankLines({ id }: { id: number }) {
  const client = useQueryClient();
  const { timeZone } = useSchool();
  const statement = useQuery(statementQuery(id));
  const [isAsked, setAsked] = useState(false);
  const [choosing, setChoosing] = useState<{ line: Row; Dialog: typeof BankLineDialog } | null>(null);
  const posting = useMutation(postLines);
  const ignoring = useMutation(ignoreLine);
  const undoing = useMutation(undoImport);
  const heading = useRef<HTMLHeadingElement>(null);
  const opening = useAction({
    mutationFn: async (line: Row) => ({ line, Dialog: (await loadPart(() => import('./BankLineDialog.tsx'))).BankLineDialog }),
    onSuccess: setChoosing,
    onError: (error) => showFailure('That could not be opened', failureWords(error, error.message)),
  });
  const refresh = () => Promise.all(moneyKeys.map((queryKey) => client.invalidateQueries({ queryKey })));
  const isBusy = posting.isPending || ignoring.isPending || undoing.isPending;

  async function post(lines: PostedLine[]): Promise<boolean> {
    if (isBusy) return false;
    try {
      const results = await posting.mutateAsync({ id, lines });
      const done = results.filter(({ ok }) => ok);
      const refused = results.find(({ ok }) => !ok);
      if (done.length > 0) showToast(`${plural(done.length, 'payment', 'payments')} recorded`, refused?.message ?? 'The receipts will be sent in a moment.');
      else showFailure('Nothing was recorded', refused?.message ?? '');
      focusHeading();
      return done.length > 0;
    } catch (error) {
      showFailure('Nothing was recorded', failureWords(error, 'Please try again: nothing is recorded twice.'));
      return false;
    } finally {
      void refresh();
    }
  }

  async function ignore(line: Row) {
    if (isBusy) return;
    try {
      await ignoring.mutateAsync({ id, lineId: line.id });
      showToast('Line ignored', null);
      focusHeading();
    } catch (error) {
      showFailure('The line could not be ignored', failureWords(error, 'Please try again.'));
    }
    void refresh();
  }

  async function undo() {
    try {
      const { reversed, total, left } = await undoing.mutateAsync(id);
      const words = `${plural(reversed, 'payment', 'payments')} reversed: ${moneyText(total, '')}.`;
      if (left.length > 0) showFailure(`${plural(left.length, 'payment is', 'payments are')} left`, `${words} ${left.map(({ receiptNumber, message }) => `Receipt ${receiptNumber}: ${message}`).join(' ')}`);
      else showToast('Import undone', words);
      flushSync(() => setAsked(false));
      focusHeading();
    } catch (error) {
      setAsked(false);
      showFailure('The import was not undone', failureWords(error, 'Please try again.'));
    }
    void refresh();
  }

  if (statement.isError) return <LoadFailed words="Failed to load the lines. Please try again later." query={statement} heading={heading} />;
  if (!statement.data) return <Spinner label="Loading the lines..." />;
  const { account, importedAt, undoneAt } = statement.data;
  const lines = statement.data.lines as Row[];
  const open = undoneAt ? [] : lines.filter(({ state }) => openStates.includes(state)).toSorted((a, b) => openStates.indexOf(a.state) - openStates.indexOf(b.state));
  const matched = open.filter(({ state }) => state === 'matched');
  const standing = lines.flatMap(({ payments }) => payments.filter(({ voidedAt }) => voidedAt === null));
  const action = actions({ isBusy, record: (line, studentId) => void post([{ lineId: line.id, studentId }]), choose: (line) => opening.run(line), ignore: (line) => void ignore(line) });
  const inState = (state: string) => lines.filter((line) => line.state === state);
  return (
    <section className="card list-card" aria-labelledby={titleId}>
      <header className="row list-head">
        <div>
          <h2 id={titleId} ref={heading} tabIndex={-1}><bdi>{account}</bdi>{importedAt && <span>{` · ${momentText(importedAt, timeZone)}`}</span>}</h2>
          <p className="muted" role="status">
            {undoneAt ? `Undone on ${momentText(undoneAt, timeZone)}. The file can be imported again.${standing.length > 0 ? ` ${leftWords(standing)}` : ''}` : open.length > 0 ? `${plural(open.length, 'line', 'lines')} to decide about` : 'Every line is decided about'}
          </p>
        </div>
        <div className="list-tools">
          {matched.length > 0 && (
            <button type="button" className="button button-primary" aria-disabled={isBusy} onClick={() => void post(matched.map((line) => ({ lineId: line.id, studentId: line.match?.studentId ?? 0 })))}>
              {posting.isPending ? 'Recording...' : `Record All Matched (${matched.length} · ${moneyText(sumOf(matched), '')})`}
            </button>
          )}
          {(!undoneAt || standing.length > 0) && <button type="button" className="button button-outline" aria-disabled={isBusy} onClick={() => setAsked(true)}>{undoneAt ? 'Undo the Rest' : 'Undo Import'}</button>}
        </div>
      </header>
      {open.length > 0 && (
        <Table
          labelledBy={titleId}
          columns={[...columns, action]}
          rows={open}
          name={({ text }) => text}
          group={{ key: ({ state }) => state, heading: (some) => `${headings[some[0]?.state as keyof typeof headings]} · ${plural(some.length, 'line', 'lines')} · ${moneyText(sumOf(some), '')}` }}
        />
      )}
      <Folded name="posted" words="Recorded" isOpen={undoneAt !== null && standing.length > 0} rows={inState('posted')} columns={undoneAt || !inState('posted').some(isFree) ? [...plain, receipts] : [...plain, receipts, { ...action, cell: (line) => isFree(line) && action.cell(line) }]} />
      <Folded name="ignored" words="Ignored" rows={inState('ignored')} columns={undoneAt ? plain : [...plain, action]} />
      <Folded name="seen" words="In an earlier file" rows={inState('seen')} columns={plain} />
      {choosing && (
        <choosing.Dialog
          line={choosing.line}
          isPending={posting.isPending}
          onChosen={async (parts) => {
            if (!(await post(parts))) return;
            flushSync(() => setChoosing(null));
            focusHeading();
          }}
          onClose={() => setChoosing(null)}
        />
      )}
      {isAsked && (
        <ConfirmDialog title="Undo this import?" confirmLabel="Undo Import" pendingLabel="Undoing..." isDangerous isPending={undoing.isPending} onConfirm={() => void undo()} onClose={() => !undoing.isPending && setAsked(false)}>
          <p>
            {standing.length > 0
              ? `${standing.length === 1 ? `1 payment of ${moneyText(sumOf(standing), '')} will be reversed, and its receipt` : `${standing.length} payments totalling ${moneyText(sumOf(standing), '')} will be reversed, and their receipts`} will be void. Receipts that wait are not sent; families who have theirs are told by email. A payment that was refunded, even in part, stays.`
              : 'No payment was recorded from it. Its lines leave the list.'}
          </p>
          <p>The file can be imported again afterwards.</p>
        </ConfirmDialog>
      )}
    </section>
  );
}

/** What an undone import leaves, and what to do about it. */
const leftWords = (left: { amount: number }[]) =>
  `${plural(left.length, 'payment', 'payments')} of ${moneyText(sumOf(left), '')} ${left.length === 1 ? 'is' : 'are'} left, because money was refunded: reverse that refund first, then undo the rest.`;

/** Whether what was recorded of a line is reversed, so that it can be recorded again. */
const isFree = ({ payments }: Row) => payments.every(({ voidedAt }) => voidedAt !== null);

/** What was decided has left the list: the focus goes to its heading, once no dialog is open that would give it back. */
const focusHeading = () => document.getElementById(titleId)?.focus();

type FoldedProps = { name: string; words: string; isOpen?: boolean; rows: Row[]; columns: Column<Row>[] };

function Folded({ name, words, isOpen = false, rows, columns }: FoldedProps) {
  if (rows.length === 0) return null;
  return (
    <details className="bank-folded" open={isOpen}>
      <summary id={`bank-${name}`}>{`${words} (${rows.length})`}</summary>
      <Table labelledBy={`bank-${name}`} columns={columns} rows={rows} name={({ text }) => text} />
    </details>
  );
}

type RowActions = { isBusy: boolean; record: (line: Row, studentId: number) => void; choose: (line: Row) => void; ignore: (line: Row) => void };

const actions = ({ isBusy, record, choose, ignore }: RowActions): Column<Row> => ({
  label: 'Action',
  place: 'action',
  from: 'tablet',
  cell: (line) => {
    const { match, text, amount, state } = line;
    // Money that went out is not a payment.
    if (amount <= 0) return null;
    return (
      <span className="cluster bank-actions">
        {match && <button type="button" className="button button-quiet" aria-label={`Record ${moneyText(amount, '')} of ${match.studentName}`} aria-disabled={isBusy} onClick={() => record(line, match.studentId)}>Record</button>}
        <button type="button" className="button button-quiet" aria-label={`Choose whose the line “${text}” is`} onClick={() => choose(line)}>{match ? 'Other' : 'Choose'}</button>
        {openStates.includes(state) && <button type="button" className="button button-quiet" aria-label={`Ignore the line “${text}”`} aria-disabled={isBusy} onClick={() => ignore(line)}>Ignore</button>}
      </span>
    );
  },
});

/** Whose a line is taken for; why, its heading says. */
function Matched({ line: { match } }: { line: Row }) {
  return match ? <Link to={officePaths.studentMoney(match.studentId)}><strong><bdi>{match.studentName}</bdi></strong></Link> : <span>–</span>;
}

const plain: Column<Row>[] = [
  { label: 'Text', place: 'lead', cell: ({ text }) => <span dir="auto">{text || '(no text)'}</span> },
  { label: 'Date', from: 'tablet', cell: ({ date }) => dateText(date, '') },
  { label: 'Amount', isNumber: true, cell: ({ amount }) => moneyText(amount, '') },
];

const columns: Column<Row>[] = [...plain, { label: 'Student', place: 'side', from: 'tablet', cell: (line) => <Matched line={line} /> }];

const receipts: Column<Row> = {
  label: 'Receipt',
  place: 'lead',
  from: 'tablet',
  cell: ({ payments }) =>
    payments.map(({ id, studentId, studentName, receiptNumber, voidedAt }) => (
      <span key={id}>
        <Link to={officePaths.studentMoney(studentId)}><bdi>{studentName}</bdi></Link>{' '}
        <a href={receiptPath(receiptNumber, 'admin')} target="_blank" rel="noopener">{receiptNumber}</a>
        {voidedAt && <> <span className="badge tone-red">void</span></>}{' '}
      </span>
    )),
};
