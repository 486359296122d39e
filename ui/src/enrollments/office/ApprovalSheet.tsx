// The dialog that approves one or more requests: computed together, who gets the seats, what is missing, the total charge
// and the number of emails.
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { failureWords, isSignedOut } from '../../api.ts';
import type { OfficeEnrollment } from '../../api-types.ts';
import { ConfirmDialog } from '../../components/ConfirmDialog.tsx';
import { loadPart } from '../../components/loadPart.ts';
import { Notice } from '../../components/Notice.tsx';
import { Spinner } from '../../components/Spinner.tsx';
import { useAction } from '../../components/useAction.ts';
import { isOpenQuestion, prerequisiteWords } from '../prerequisites.ts';
import { approvalOf, approvalPreviewQuery, approveMany, type BulkOutcome, missingText, promiseText, togetherText } from './bulk.ts';
import { repeatText } from './repeat.ts';

const LeavingSteps = lazy(async () => ({ default: (await loadPart(() => import('../LeavingSteps.tsx'))).LeavingSteps }));

type ApprovalSheetProps = { rows: readonly OfficeEnrollment[]; onDone: (outcome: BulkOutcome) => void; onClose: () => void };

const none = { results: [], approved: 0, seats: 0, total: 0, emails: 0 };

/** Stands for a reason that is not typed yet; a preview keeps none. */
const unwritten = 'Preview';

export function ApprovalSheet({ rows, onDone, onClose }: ApprovalSheetProps) {
  const [ticked, setTicked] = useState<ReadonlySet<number>>(
    // A sheet opened for one request preselects it.
    () => new Set(rows.length === 1 ? rows.map(({ id }) => id) : []),
  );
  // Those for which the others of the list leave no seat.
  const [full, setFull] = useState<ReadonlySet<number>>(new Set());
  const [reason, setReason] = useState('');
  const [failure, setFailure] = useState<string | null>(null);
  const asked = approvalOf(rows, ticked, full, unwritten);
  const { data, isError, isFetching, refetch } = useQuery(approvalPreviewQuery(asked));
  const preview = asked.ids.length === 0 ? none : data;
  const refused = (preview?.results ?? []).filter(({ ok }) => !ok);
  const newlyFull = refused.filter(({ id, reason: why }) => why === 'capacity_full' && !full.has(id)).map(({ id }) => id);
  if (newlyFull.length > 0) {
    setFull(new Set([...full, ...newlyFull]));
    // A seat more is given only to who is ticked with that in view.
    setTicked(new Set([...ticked].filter((id) => !newlyFull.includes(id))));
  }
  const answers = new Map(preview?.results.map((one) => [one.id, one]));
  const lacking = rows.filter(({ id, missing }) => missing.length > 0 || full.has(id));
  const others = refused.filter(({ id }) => !full.has(id) && !ticked.has(id));
  const approved = rows.filter(({ id }) => answers.get(id)?.ok);
  const repeats = approved.filter(({ repeat }) => repeat);
  const asking = rows.filter(({ prerequisite }) => prerequisite).toSorted((a, b) => openness(b) - openness(a));
  const needsReason = asked.overrideIds !== undefined;
  const approving = useAction({
    mutationFn: () => approveMany(approvalOf(rows, ticked, full, reason.trim())),
    onSuccess: onDone,
    onError: (error) => !isSignedOut(error) && setFailure(failureWords(error, 'The requests could not be approved. Please try again.')),
  });

  function approve() {
    if (!preview || isFetching) return;
    if (needsReason && reason.trim().length < 3) setFailure('Give a reason for approving without the missing items.');
    else if (asked.ids.length > 0) approving.run();
    else setFailure('Select at least one request.');
  }

  return (
    <ConfirmDialog
      title={rows.length === 1 ? 'Approve 1 request?' : `Approve ${rows.length} requests?`}
      confirmLabel={preview ? `Approve ${preview.approved}` : 'Approve'}
      pendingLabel="Approving..."
      isPending={approving.isPending}
      onConfirm={approve}
      onClose={() => !approving.isPending && onClose()}
    >
      {!preview && !isError && <Spinner label="Computing what happens together..." />}
      {isError && <Notice kind="error"><p>What happens together could not be computed. <button type="button" className="button button-quiet" onClick={() => void refetch()}>Try Again</button></p></Notice>}
      <p role="status">{preview && togetherText(preview.approved, rows.length)}</p>
      {lacking.length > 0 && (
        <fieldset className="lacking">
          <legend>Approve these as well</legend>
          {lacking.length > 1 && (
            <label className="tick">
              <input
                type="checkbox"
                checked={lacking.every(({ id }) => ticked.has(id))}
                onChange={({ target }) => setTicked(new Set(target.checked ? lacking.map(({ id }) => id) : []))}
              />
              <span>{`All ${lacking.length}`}</span>
            </label>
          )}
          <ul>
            {lacking.map((row) => (
              <li key={row.id}>
                <label className="tick">
                  <input type="checkbox" checked={ticked.has(row.id)} onChange={() => setTicked((before) => toggled(before, row.id))} />
                  <span><strong dir="auto">{row.studentName}</strong><span>{`, ${row.courseCode}: ${missingText(full.has(row.id) ? [...new Set([...row.missing, 'capacity' as const])] : row.missing)}`}</span></span>
                </label>
                {ticked.has(row.id) && answers.get(row.id)?.ok === false && <p className="flag">{answers.get(row.id)?.message}</p>}
              </li>
            ))}
          </ul>
        </fieldset>
      )}
      {others.length > 0 && (
        <div className="lacking">
          <p>Not approved:</p>
          <ul>
            {others.map(({ id, message }) => <li key={id}><strong dir="auto">{rows.find((row) => row.id === id)?.studentName}</strong><span>{`: ${message ?? ''}`}</span></li>)}
          </ul>
        </div>
      )}
      {asking.length > 0 && (
        <div className="lacking">
          <p>{asking.length === 1 ? 'Prerequisite of the course:' : 'Prerequisites of the courses:'}</p>
          <ul>
            {asking.map(({ id, studentName, courseCode, prerequisite }) => (
              <li key={id}><strong dir="auto">{studentName}</strong><span>{`, ${courseCode}, prerequisite `}</span><span dir="auto">{prerequisite && prerequisiteWords(prerequisite)}</span></li>
            ))}
          </ul>
        </div>
      )}
      {needsReason && (
        <div className="field">
          <label htmlFor="override-reason">Reason for approving without the missing items</label>
          <p className="field-hint" id="override-hint">Kept with the decision; the student does not see it.</p>
          <input id="override-reason" aria-describedby="override-hint" maxLength={500} value={reason} onChange={({ target }) => setReason(target.value)} />
        </div>
      )}
      {repeats.length > 0 && (
        <>
          <p>These have completed the course before:</p>
          <ul>
            {repeats.map((row) => <li key={row.id}><strong dir="auto">{row.studentName}</strong><span>{`, ${row.courseCode}: ${repeatText(row)}`}</span></li>)}
          </ul>
        </>
      )}
      {preview && <p>{promiseText(preview)}</p>}
      {rows.map(({ id }) => rows.length === 1 && (preview?.total ?? 0) > 0 && <details key={id} className="enrollment-history"><summary>What leaving costs</summary><Suspense><LeavingSteps id={id} portal="admin" /></Suspense></details>)}
      {failure && <Notice kind="error"><p>{failure}</p></Notice>}
    </ConfirmDialog>
  );
}

/** Sorts open questions first. */
const openness = ({ prerequisite }: OfficeEnrollment) => Number(prerequisite && isOpenQuestion(prerequisite));

function toggled(ids: ReadonlySet<number>, id: number): ReadonlySet<number> {
  const next = new Set(ids);
  if (!next.delete(id)) next.add(id);
  return next;
}
