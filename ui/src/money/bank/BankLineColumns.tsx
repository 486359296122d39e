// The columns of the bank's lines, with what can be decided about each.
import { Link } from 'react-router';
import type { BankLine, MatchReason } from '../../api-types.ts';
import type { Elements } from '../../components/elements.ts';
import type { Column } from '../../components/Table.tsx';
import { dateText } from '../../dates.ts';
import { moneyText } from '../../money.ts';
import { officePaths } from '../../officePaths.ts';
import { receiptPath } from '../words.ts';

export type Row = BankLine & { id: number };

export const headings = { matched: 'Matched by code', looks_recorded: 'Recorded already?', returned: 'Taken back by the bank', suggested: 'Suggested', unknown: 'Unmatched' };
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

type RowActions = { isBusy: boolean } & Record<'record' | 'choose' | 'ignore' | 'reopen' | 'same' | 'recordAgain' | 'reverse', (line: Row) => void>;

/** What can be done about a line, the first of which a key does. */
export const actions = ({ isBusy, record, choose, ignore, reopen, same, recordAgain, reverse }: RowActions): Column<Row> => ({
  label: 'Action',
  place: 'action',
  from: 'tablet',
  cell: (line) => {
    const { match, text, amount, state, known, division } = line;
    if (state === 'seen' || state === 'reversed') return null;
    // Money that went out is not a payment, unless it takes one back.
    if (amount <= 0 && !known) return null;
    const button = (label: string, words: string, press: (line: Row) => void, size = '', key?: string) => (
      <button type="button" className={`button button-quiet ${size}`} aria-label={words} aria-keyshortcuts={key} aria-disabled={isBusy} onClick={() => press(line)}>{label}</button>
    );
    const ignoring = button('Ignore', `Ignore the line “${text}”`, ignore, '', 'i');
    if (state === 'returned') return <span className="bank-actions">{button('Reverse Receipt', `Reverse receipt ${known?.receiptNumber ?? ''}`, reverse, 'is-wide', 'r')}{ignoring}</span>;
    if (state === 'looks_recorded') {
      return (
        <span className="bank-actions">
          {button('It Is the Same', `The line “${text}” is receipt ${known?.receiptNumber ?? ''}`, same, 'is-wide', 's')}{ignoring}
          {match
            ? button('Record All the Same', `Record ${moneyText(amount, '')} of ${match.studentName} all the same`, recordAgain, 'is-whole')
            : button('Record All the Same', `Assign the line “${text}” all the same`, choose, 'is-whole')}
        </span>
      );
    }
    if (!isOpen(line) && (state !== 'posted' || !isFree(line))) return <span className="bank-actions"><strong>{decidedWords(line)}</strong>{button('Undo', `Undo the line “${text}”`, reopen)}</span>;
    return (
      <span className="bank-actions">
        {match && button('Record', `Record ${moneyText(amount, '')} of ${match.studentName}`, record, '', 'r')}
        {division.length > 0 ? button('Divide', `Divide the line “${text}”`, choose, '', 'o') : button(match ? 'Other' : 'Assign', `${match ? 'Other student for' : 'Assign'} the line “${text}”`, choose, '', 'o')}
        {isOpen(line) && ignoring}
      </span>
    );
  },
});

const decided: Partial<Record<Row['state'], string>> = { seen: 'Already imported', ignored: 'Ignored', same: 'The same', reversed: 'Reversed' };
const decidedWords = ({ state }: Row) => decided[state] ?? 'Recorded';

const reasons: Record<MatchReason, string> = {
  code: 'code',
  invoice: 'number of an invoice',
  student_number: 'student number',
  name_amount: 'name and amount',
  name: 'name',
  guardian: 'a guardian’s name',
  payer: 'paid last time',
};

const student = (id: number, studentId: number, studentName: string, words: Elements) => (
  <div key={id}><Link to={officePaths.studentMoney(studentId)}><strong><bdi>{studentName}</bdi></strong></Link>{words}</div>
);

/** The student it is taken for and why, those that it may be divided among, or those whose payments were recorded from it. */
function Students({ line: { match, division, known, payments, amount, state } }: { line: Row }) {
  if (known && state !== 'unknown') return student(0, known.studentId, known.studentName, <small className="bank-why">{`${knownWords[state] ?? ''} receipt ${known.receiptNumber}, ${dateText(known.receivedOn, '')}`}</small>);
  if (match) return student(0, match.studentId, match.studentName, <small className="bank-why">{match.why !== 'code' && <span>{`${reasons[match.why]} · `}</span>}<Owes owes={match.owes} amount={amount} /></small>);
  if (division.length > 0) return division.map(({ studentId, studentName, owes }) => student(studentId, studentId, studentName, <small className="bank-why">{`owes ${moneyText(owes, '')}`}</small>));
  return payments.length === 0 ? <span>–</span> : payments.map(({ id, studentId, studentName }) => student(id, studentId, studentName, null));
}

const knownWords: Partial<Record<Row['state'], string>> = { looks_recorded: 'looks like', returned: 'takes back', same: 'is', reversed: 'took back' };

/** What a student owes, in colour where the line is another amount. */
const Owes = ({ owes, amount }: { owes: number; amount: number }) => <span className={owes === amount ? undefined : 'flag'}>{`owes ${moneyText(owes, '')}`}</span>;

export const facts: Column<Row>[] = [
  {
    label: 'Text',
    place: 'lead',
    cell: ({ text }) => <span dir="auto">{text || '(no text)'}</span>,
    // Always a line, so that no row below it moves.
    folded: (line) => (isOpen(line) ? <bdi>{line.known?.studentName ?? line.match?.studentName ?? headings.unknown}</bdi> : decidedWords(line)),
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
