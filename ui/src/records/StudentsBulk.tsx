// Bulk actions on selected students, and their results.
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { failureWords, isSignedOut, postJson } from '../api.ts';
import type { StudentRow } from '../api-types.ts';
import { ConfirmDialog } from '../components/ConfirmDialog.tsx';
import { Dialog } from '../components/Dialog.tsx';
import { Notice } from '../components/Notice.tsx';
import { useAction } from '../components/useAction.ts';
import { recordsKey } from '../enrollments/office/studentFile.ts';
import { WriteManyDialog } from '../mail/WriteManyDialog.tsx';
import { runInBatches, type StudentsOutcome } from './bulk.ts';
import { previewEmail, remindGuardians } from './queries.ts';
import { nameOf } from './words.ts';
import '../components/Bulk.css';

export type StudentsResult = StudentsOutcome & { words: string; names: ReadonlyMap<number, string> };

type BarProps = {
  chosen: readonly StudentRow[];
  /** Number of rows that "Select all" would add; 0 if all are selected. */
  rest: number | null;
  isChoosing: boolean;
  onChooseAll: () => void;
  onClear: () => void;
  onDone: (done: StudentsResult) => void;
};

export function StudentsBulkBar({ chosen, rest, isChoosing, onChooseAll, onClear, onDone }: BarProps) {
  const [open, setOpen] = useState<'write' | 'resend' | 'remind' | null>(null);
  const waiting = chosen.filter(({ flags }) => flags.includes('request_waiting') && flags.includes('guardian_not_confirmed'));
  const dialog = {
    chosen,
    onDone: (outcome: StudentsOutcome, words: string) => {
      setOpen(null);
      onDone({ ...outcome, words, names: new Map(chosen.map((row) => [row.id, nameOf(row)])) });
    },
    onClose: () => setOpen(null),
  };
  return (
    <div className="floats cluster bulk-bar" role="group" aria-label="Bulk actions">
      <p role="status"><strong>{`${chosen.length} selected`}</strong></p>
      {rest !== null && (
        <button type="button" className="button button-quiet" aria-disabled={isChoosing} onClick={onChooseAll}>
          {isChoosing ? 'Choosing...' : `Select all ${rest}`}
        </button>
      )}
      <button type="button" className="button button-primary" onClick={() => setOpen('write')}>Write an Email…</button>
      <button type="button" className="button button-outline" onClick={() => setOpen('resend')}>Resend Verification…</button>
      {waiting.length > 0 && <button type="button" className="button button-outline" onClick={() => setOpen('remind')}>Remind Guardians…</button>}
      <button type="button" className="button button-quiet" onClick={onClear}>Clear</button>
      {open === 'write' && <WriteStudentsDialog {...dialog} />}
      {open === 'resend' && <ResendDialog {...dialog} />}
      {open === 'remind' && <RemindDialog {...dialog} chosen={waiting} />}
    </div>
  );
}

type DialogProps = { chosen: readonly StudentRow[]; onDone: (outcome: StudentsOutcome, words: string) => void; onClose: () => void };

const students = (count: number) => (count === 1 ? '1 student' : `${count} students`);

function WriteStudentsDialog({ chosen, onDone, onClose }: DialogProps) {
  const client = useQueryClient();
  const ids = chosen.map(({ id }) => id);
  return (
    <WriteManyDialog
      title={`Write to ${students(ids.length)}`}
      to={`To the ${students(ids.length)} that you selected.`}
      preview={(words) => previewEmail(ids, words)}
      send={async (words) => {
        const outcome = await runInBatches((portion) => postJson('/api/admin/students/emails', { ...words, ids: portion }), ids, sendingFailed);
        void client.invalidateQueries({ queryKey: recordsKey });
        onDone(outcome, outcome.done.length === 1 ? '1 email queued' : `${outcome.done.length} emails queued`);
      }}
      onClose={onClose}
    />
  );
}

function ResendDialog({ chosen, onDone, onClose }: DialogProps) {
  const client = useQueryClient();
  const [failure, setFailure] = useState<string | null>(null);
  const unverified = chosen.filter(({ status }) => status === 'unverified').length;
  const sending = useAction({
    mutationFn: () => runInBatches((ids) => postJson('/api/admin/students/resend-verification', { ids }), chosen.map(({ id }) => id), sendingFailed),
    onSuccess: (outcome) => {
      void client.invalidateQueries({ queryKey: recordsKey });
      onDone(outcome, outcome.done.length === 1 ? '1 link sent' : `${outcome.done.length} links sent`);
    },
    onError: (error) => !isSignedOut(error) && setFailure(sendingFailed(error)),
  });
  if (unverified === 0) {
    return (
      <Dialog title="No links needed" onClose={onClose}>
        <p>{`${chosen.length === 1 ? 'The student that you selected is' : `All ${chosen.length} students that you selected are`} verified already.`}</p>
        <button type="button" className="button button-outline" onClick={onClose}>Back to the List</button>
      </Dialog>
    );
  }
  return (
    <ConfirmDialog
      title={`Send ${unverified === 1 ? '1 link' : `${unverified} links`} again?`}
      confirmLabel="Send Again"
      pendingLabel="Sending..."
      isPending={sending.isPending}
      onConfirm={() => sending.run()}
      onClose={() => !sending.isPending && onClose()}
    >
      <p>Registered students get a new verification link; invited students get the invitation again. Earlier links stop working.</p>
      {unverified < chosen.length && (
        <p>{`${students(chosen.length - unverified)} of those that you selected ${chosen.length - unverified === 1 ? 'is' : 'are'} verified already and ${chosen.length - unverified === 1 ? 'gets' : 'get'} none.`}</p>
      )}
      {failure && <Notice kind="error"><p>{failure}</p></Notice>}
    </ConfirmDialog>
  );
}

/** `chosen`: those whose request waits for a guardian. */
function RemindDialog({ chosen, onDone, onClose }: DialogProps) {
  const client = useQueryClient();
  const [failure, setFailure] = useState<string | null>(null);
  const sending = useAction({
    mutationFn: () => runInBatches(remindGuardians, chosen.map(({ id }) => id), sendingFailed),
    onSuccess: (outcome) => {
      void client.invalidateQueries({ queryKey: recordsKey });
      onDone(outcome, `The guardians of ${students(outcome.done.length)} are reminded`);
    },
    onError: (error) => !isSignedOut(error) && setFailure(sendingFailed(error)),
  });
  return (
    <ConfirmDialog
      title={`Remind the guardians of ${students(chosen.length)}?`}
      confirmLabel="Remind"
      pendingLabel="Sending..."
      isPending={sending.isPending}
      onConfirm={() => sending.run()}
      onClose={() => !sending.isPending && onClose()}
    >
      <p>Each guardian who has not confirmed gets one email with a link to the family page. Those who were written to today are left out.</p>
      {failure && <Notice kind="error"><p>{failure}</p></Notice>}
    </ConfirmDialog>
  );
}

function sendingFailed(error: Error): string {
  return failureWords(error, 'It could not be sent. Please try again.');
}

export function StudentsBulkResult({ done, onClose }: { done: StudentsResult; onClose: () => void }) {
  const panel = useRef<HTMLElement>(null);
  useEffect(() => panel.current?.focus(), []);
  const { words, failures, names } = done;
  return (
    <section className="card row tone-green bulk-result" ref={panel} tabIndex={-1} aria-label="Result">
      <p role="status"><strong>{words}</strong>{failures.length > 0 && <span>{`, ${failures.length} not; ${failures.length === 1 ? 'it stays' : 'they stay'} selected`}</span>}<span>.</span></p>
      <button type="button" className="button button-quiet" onClick={onClose}>Dismiss</button>
      {failures.length > 0 && (
        <ul>{failures.map(({ id, message }) => <li key={id}><strong dir="auto">{names.get(id) ?? `Student #${id}`}</strong><span>{`: ${message}`}</span></li>)}</ul>
      )}
    </section>
  );
}
