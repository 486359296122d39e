// State of the mark sheet: input, saving and the result of each row.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { failureWords, isSignedOut } from '../api.ts';
import type { ClassMember } from '../api-types.ts';
import { showFailure, showToast } from '../components/toasts.ts';
import { today } from '../dates.ts';
import { changedRows, earlyWords, markProblem, rowToSend, type MarkInputs, type MarkInput, withoutSaved } from './marks.ts';
import { classListQuery, enterMarks, type MarksEntered, refreshCourses } from './queries.ts';

/** Key of the reason for early final marks. */
export const early_reason = 'early-reason';

export type RowResult = { isSaved: boolean; words: string };

export function useMarkSheet(courseId: number, members: readonly ClassMember[]) {
  const client = useQueryClient();
  const [sheet, setSheet] = useState<MarkInputs>({});
  const [results, setResults] = useState<Readonly<Record<number, RowResult>>>({});
  const [undo, setUndo] = useState<MarksEntered['undo']>(null);
  const [reason, setReason] = useState('');
  const [mailsReason, setMailsReason] = useState(false);
  const [reasonProblem, setReasonProblem] = useState<string | null>(null);
  const saving = useMutation(enterMarks);
  const early = earlyWords(members, sheet, today());
  const changed = changedRows(members, sheet);

  /** Saved rows are updated; refused rows keep their input beside the current values. */
  function settle({ results: answers, undo: way }: MarksEntered, sent: MarkInputs) {
    const latest = new Map(answers.flatMap(({ row, current }) => [row, current].flatMap((one) => (one ? [[one.enrollmentId, one] as const] : []))));
    client.setQueryData(classListQuery(courseId).queryKey, (rows) => rows?.map((row) => latest.get(row.enrollmentId) ?? row));
    const savedIds = new Set(answers.filter(({ ok }) => ok).map(({ id }) => id));
    setSheet((before) => withoutSaved(before, sent, savedIds));
    setResults(Object.fromEntries(answers.map(({ id, ok, message, current }) => [id, { isSaved: ok, words: ok ? 'Saved' : wordsOf(message ?? '', current) }])));
    setUndo(way ?? null);
    const failed = answers.length - savedIds.size;
    if (failed === 0) showToast('Marks saved', `${savedIds.size} of ${answers.length} rows.`);
    else showFailure('Some marks were not saved', `${savedIds.size} of ${answers.length} rows were saved. The reasons are beside the others.`);
    refreshCourses(client);
  }

  /** Location of an error: an enrollment id or the reason field. */
  async function save(): Promise<number | typeof early_reason | null> {
    const wrong = changed.flatMap((member) => {
      const words = markProblem(member, sheet[member.enrollmentId]);
      return words ? [[member.enrollmentId, { isSaved: false, words }] as const] : [];
    });
    setResults(Object.fromEntries(wrong));
    const isUnexplained = early !== null && reason.trim().length < 10;
    setReasonProblem(isUnexplained ? 'Please say in at least 10 characters why the final marks come before the last day.' : null);
    if (wrong[0]) return wrong[0][0];
    if (isUnexplained) return early_reason;
    if (changed.length === 0 || saving.isPending) return null;
    try {
      const rows = changed.map((member) => rowToSend(member, sheet[member.enrollmentId]));
      settle(await saving.mutateAsync({ courseId, rows, ...(early !== null && { reason: reason.trim(), mailReason: mailsReason }) }), sheet);
    } catch (error) {
      if (!isSignedOut(error)) showFailure('Error', failureWords(error, 'Failed to save the marks. Please try again.'));
    }
    return null;
  }

  return {
    sheet,
    results: withoutChanged(results, changed),
    undo,
    early,
    reason,
    setReason,
    mailsReason,
    setMailsReason,
    reasonProblem,
    changedCount: changed.length,
    isPending: saving.isPending,
    type: (id: number, typed: MarkInput) => setSheet((before) => ({ ...before, [id]: { ...before[id], ...typed } })),
    fill: setSheet,
    save,
    undone: () => {
      setUndo(null);
      setResults({});
      refreshCourses(client);
    },
  };
}

/** A row edited since does not show “Saved”. */
function withoutChanged(results: Readonly<Record<number, RowResult>>, changed: readonly ClassMember[]): Readonly<Record<number, RowResult>> {
  const ids = new Set(changed.map(({ enrollmentId }) => enrollmentId));
  return Object.fromEntries(Object.entries(results).filter(([id, { isSaved }]) => !(isSaved && ids.has(Number(id)))));
}

function wordsOf(message: string, current: ClassMember | null | undefined): string {
  if (!current) return message;
  return `${message} It is now: midterm ${current.midtermMark ?? 'none'}, final ${current.finalMark ?? 'none'}.`;
}
