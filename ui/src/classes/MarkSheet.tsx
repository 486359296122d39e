// The mark entry table of a class: accepts pasted spreadsheet columns; Enter moves down.
import { type ClipboardEvent, type KeyboardEvent, useEffect, useRef } from 'react';
import { failureWords, isSignedOut } from '../api.ts';
import type { ClassMember } from '../api-types.ts';
import { Field } from '../components/Field.tsx';
import { type Column, Table } from '../components/Table.tsx';
import { showFailure, showToast } from '../components/toasts.ts';
import { useAction } from '../components/useAction.ts';
import { useUnsavedChanges } from '../components/useUnsavedChanges.tsx';
import { undoDecision } from '../enrollments/queries.ts';
import { isCorrection, type MarkColumn, parsePaste, shownMark } from './marks.ts';
import { early_reason, useMarkSheet } from './useMarkSheet.ts';
import './MarkSheet.css';

type MarkSheetProps = { courseId: number; members: readonly ClassMember[]; onClose: () => void };

/** The heading of the class, above. */
const titleId = 'class-list';
const cellId = (row: number, column: MarkColumn) => `mark-${column}-${row}`;
const focusCell = (row: number, column: MarkColumn) => document.getElementById(cellId(row, column))?.focus();

export function MarkSheet({ courseId, members, onClose }: MarkSheetProps) {
  const marks = useMarkSheet(courseId, members);
  const { leave, question } = useUnsavedChanges(marks.changedCount > 0);
  const button = useRef<HTMLButtonElement>(null);
  // Once, on opening: focus the first missing final mark.
  const first = useRef(Math.max(0, members.findIndex(({ finalMark }) => finalMark === null)));
  useEffect(() => focusCell(first.current, 'final'), []);

  async function save() {
    const wrong = await marks.save();
    if (wrong === early_reason) document.getElementById(early_reason)?.focus();
    else if (wrong !== null) focusCell(members.findIndex(({ enrollmentId }) => enrollmentId === wrong), 'final');
  }

  function move(event: KeyboardEvent, row: number, column: MarkColumn) {
    const step = { Enter: 1, ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    if (row + step === members.length) button.current?.focus();
    else focusCell(row + step, column);
  }

  function paste(event: ClipboardEvent, row: number, column: MarkColumn) {
    const filled = parsePaste(marks.sheet, members, { row, column }, event.clipboardData.getData('text/plain'));
    if (!filled) return;
    event.preventDefault();
    marks.fill(filled);
  }

  const rows = members.map((member, row) => Object.assign({ id: member.enrollmentId, row }, member));

  return (
    <div className="mark-sheet">
      <p className="muted">Whole numbers from 0 to 100; leave blank for no mark yet. A final mark completes the course and notifies the student; 50 or more earns the credit.</p>
      <MarkTable rows={rows} marks={marks} onKey={move} onPaste={paste} />
      {marks.early !== null && <EarlyReason marks={marks} words={marks.early} />}
      <div className="cluster ruled mark-actions">
        {marks.undo && <UndoMarks key={marks.undo.id} id={marks.undo.id} onUndone={marks.undone} />}
        <p role="status">{marks.changedCount === 1 ? '1 row is not saved yet' : marks.changedCount > 0 && `${marks.changedCount} rows are not saved yet`}</p>
        <button type="button" className="button button-quiet" onClick={() => leave(onClose)}>Close</button>
        <button type="button" ref={button} className="button button-primary" aria-disabled={marks.isPending} onClick={() => void save()}>
          {marks.isPending ? 'Saving...' : 'Save All'}
        </button>
      </div>
      {question}
    </div>
  );
}

/** One reason for all final marks that are entered before the last day. */
function EarlyReason({ marks: { reason, setReason, reasonProblem, mailsReason, setMailsReason }, words }: { marks: ReturnType<typeof useMarkSheet>; words: string }) {
  return (
    <div className="ruled mark-early">
      <Field id={early_reason} error={reasonProblem ?? undefined} label={`${words}. Why are final marks entered before that?`} hint="For the office.">
        {(control) => <input {...control} autoComplete="off" maxLength={1000} value={reason} onChange={({ target }) => setReason(target.value)} />}
      </Field>
      <label className="tick">
        <input type="checkbox" checked={mailsReason} onChange={({ target }) => setMailsReason(target.checked)} />
        <span>These students read the reason in their email</span>
      </label>
    </div>
  );
}

type Row = ClassMember & { id: number; row: number };

type Handlers = {
  marks: ReturnType<typeof useMarkSheet>;
  onKey: (event: KeyboardEvent, row: number, column: MarkColumn) => void;
  onPaste: (event: ClipboardEvent, row: number, column: MarkColumn) => void;
};

const columnsOf = (handlers: Handlers): Column<Row>[] => [
  { label: 'Student', place: 'lead', cell: (member) => <strong dir="auto">{member.studentName}</strong> },
  { label: 'Number', from: 'tablet', cell: (member) => member.number ?? '–' },
  { label: 'Midterm', cell: (member) => <MarkCell member={member} column="midterm" {...handlers} /> },
  { label: 'Final', cell: (member) => <MarkCell member={member} column="final" {...handlers} /> },
  { label: 'Result', cell: (member) => <MarkResult member={member} {...handlers} /> },
];

function MarkTable({ rows, ...handlers }: Handlers & { rows: readonly Row[] }) {
  return <Table labelledBy={titleId} columns={columnsOf(handlers)} rows={rows} name={({ studentName }) => studentName} />;
}

function MarkCell({ member, column, marks, onKey, onPaste }: Handlers & { member: Row; column: MarkColumn }) {
  const { id, row, studentName, status } = member;
  return (
    <input
      id={cellId(row, column)}
      className="mark"
      type="text"
      inputMode="numeric"
      autoComplete="off"
      aria-label={`${column === 'midterm' ? 'Midterm' : 'Final'} mark of ${studentName}`}
      aria-invalid={marks.results[id]?.isSaved === false ? true : undefined}
      aria-describedby={`mark-result-${row}`}
      readOnly={column === 'midterm' && status === 'completed'}
      value={shownMark(member, marks.sheet[id], column)}
      onChange={(event) => marks.type(id, { [column]: event.target.value })}
      onKeyDown={(event) => onKey(event, row, column)}
      onPaste={(event) => onPaste(event, row, column)}
      onFocus={(event) => event.target.select()}
    />
  );
}

/** The result of saving a row, and the reason field of a correction. */
function MarkResult({ member, marks }: Handlers & { member: Row }) {
  const { id, row, studentName } = member;
  const result = marks.results[id];
  return (
    <>
      {isCorrection(member, marks.sheet[id]) && (
        <input
          type="text"
          className="mark-reason"
          autoComplete="off"
          aria-label={`Why the mark of ${studentName} is corrected`}
          placeholder="Why is it being corrected? The student sees it."
          value={marks.sheet[id]?.reason ?? ''}
          onChange={(event) => marks.type(id, { reason: event.target.value })}
        />
      )}
      <span id={`mark-result-${row}`} className={result?.isSaved ? 'mark-saved' : 'field-error'}>{result?.words}</span>
    </>
  );
}

function UndoMarks({ id, onUndone }: { id: string; onUndone: () => void }) {
  const button = useRef<HTMLButtonElement>(null);
  const undoing = useAction({
    mutationFn: undoDecision,
    onSuccess: () => {
      showToast('Marks undone', 'The courses are active again. No email was sent.');
      // The button disappears: move the focus only if it was there, and without scrolling.
      if (document.activeElement === button.current) {
        document.getElementById(titleId)?.focus({ preventScroll: !button.current?.matches(':focus-visible') });
      }
      onUndone();
    },
    onError: (error) => {
      if (!isSignedOut(error)) showFailure('The marks were not undone', failureWords(error, 'They could not be undone. Please try again.'));
    },
  });
  return (
    <button type="button" ref={button} className="button button-outline" aria-disabled={undoing.isPending} onClick={() => undoing.run(id)}>
      {undoing.isPending ? 'Undoing...' : 'Undo the final marks'}
    </button>
  );
}
