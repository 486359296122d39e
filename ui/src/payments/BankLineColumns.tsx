// The columns of the bank's lines, with what can be decided about each.
import { Link } from 'react-router';
import type { BankLine } from '../api-types.ts';
import type { Column } from '../components/Table.tsx';
import { dateText } from '../dates.ts';
import { moneyText } from '../money.ts';
import { officePaths } from '../officePaths.ts';
import { receiptPath } from './words.ts';

export type Row = BankLine & { id: number };

export const headings = { matched: 'Matched by code', suggested: 'Suggested: name and amount', unknown: 'Unmatched' };
export const openStates: readonly string[] = Object.keys(headings);
export const isOpen = ({ state }: Row) => openStates.includes(state);

/** Whether no payment stands that was recorded from it. */
export const isFree = ({ payments }: Row) => payments.every(({ voidedAt }) => voidedAt !== null);

/** A dialog that has just closed leaves the pointer on a row: the second press of a double click is not meant for it. */
export function pressGuard() {
  const settles_ms = 500;
  let closedAt_ms = 0;
  return { noteDialogClosed: () => void (closedAt_ms = Date.now()), isLate: () => Date.now() - closedAt_ms < settles_ms };
}

type RowActions = { isBusy: boolean } & Record<'record' | 'choose' | 'ignore' | 'reopen', (line: Row) => void>;

export const actions = ({ isBusy, record, choose, ignore, reopen }: RowActions): Column<Row> => ({
  label: 'Action',
  place: 'action',
  from: 'tablet',
  cell: (line) => {
    const { match, text, amount, state } = line;
    // Money that went out is not a payment.
    if (amount <= 0 || state === 'seen') return null;
    const button = (label: string, words: string, press: (line: Row) => void) => (
      <button type="button" className="button button-quiet" aria-label={words} aria-disabled={isBusy} onClick={() => press(line)}>{label}</button>
    );
    if (state === 'ignored' || !isFree(line)) return <span className="bank-actions"><strong>{decidedWords(line)}</strong>{button('Undo', `Undo the line “${text}”`, reopen)}</span>;
    return (
      <span className="bank-actions">
        {match && button('Record', `Record ${moneyText(amount, '')} of ${match.studentName}`, record)}
        {button(match ? 'Other' : 'Assign', `${match ? 'Other student for' : 'Assign'} the line “${text}”`, choose)}
        {isOpen(line) && button('Ignore', `Ignore the line “${text}”`, ignore)}
      </span>
    );
  },
});

const decidedWords = ({ state }: Row) => (state === 'seen' ? 'Already imported' : state === 'ignored' ? 'Ignored' : 'Recorded');

/** The student it is taken for, or of each payment that was recorded from it; why, its heading says. */
function Students({ line: { match, payments } }: { line: Row }) {
  const students = match ? [{ ...match, id: 0 }] : payments;
  return students.length === 0 ? <span>–</span> : students.map(({ id, studentId, studentName }) => <div key={id}><Link to={officePaths.studentMoney(studentId)}><strong><bdi>{studentName}</bdi></strong></Link></div>);
}

export const facts: Column<Row>[] = [
  {
    label: 'Text',
    place: 'lead',
    cell: ({ text }) => <span dir="auto">{text || '(no text)'}</span>,
    // Always a line, so that no row below it moves.
    folded: (line) => (isOpen(line) ? <bdi>{line.match?.studentName ?? headings.unknown}</bdi> : decidedWords(line)),
  },
  { label: 'Date', from: 'tablet', cell: ({ date }) => dateText(date, '') },
  { label: 'Amount', isNumber: true, cell: ({ amount }) => moneyText(amount, '') },
  { label: 'Student', place: 'side', from: 'tablet', cell: (line) => <Students line={line} /> },
  {
    label: 'Receipt',
    from: 'desk',
    cell: ({ state, payments }) =>
      state !== 'posted' ? '–' : payments.map(({ id, receiptNumber, voidedAt }) => (
        <div key={id}><a href={receiptPath(receiptNumber, 'admin')} target="_blank" rel="noopener">{receiptNumber}</a>{voidedAt && <> <span className="badge tone-red">void</span></>}</div>
      )),
  },
];
