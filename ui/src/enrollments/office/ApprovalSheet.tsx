// The dialog that approves one or more requests: what is ready, what is missing and the total charge.
import { lazy, Suspense, useState } from 'react';
import { failureWords, isSignedOut } from '../../api.ts';
import type { OfficeEnrollment } from '../../api-types.ts';
import { ConfirmDialog } from '../../components/ConfirmDialog.tsx';
import { loadPart } from '../../components/loadPart.ts';
import { Notice } from '../../components/Notice.tsx';
import { useAction } from '../../components/useAction.ts';
import { moneyText } from '../../money.ts';
import { isOpenQuestion, prerequisiteWords } from '../prerequisites.ts';
import { approveMany, missingText, type BulkOutcome, readinessText } from './bulk.ts';
import { repeatText } from './repeat.ts';

const LeavingSteps = lazy(async () => ({ default: (await loadPart(() => import('../LeavingSteps.tsx'))).LeavingSteps }));

type ApprovalSheetProps = { rows: readonly OfficeEnrollment[]; onDone: (outcome: BulkOutcome) => void; onClose: () => void };

export function ApprovalSheet({ rows, onDone, onClose }: ApprovalSheetProps) {
  const lacking = rows.filter(({ missing }) => missing.length > 0);
  const [ticked, setTicked] = useState<ReadonlySet<number>>(
    // A sheet opened for one request preselects it.
    () => new Set(rows.length === 1 ? rows.map(({ id }) => id) : []),
  );
  const asking = rows.filter(({ prerequisite }) => prerequisite).toSorted((a, b) => openness(b) - openness(a));
  const [reason, setReason] = useState('');
  const [failure, setFailure] = useState<string | null>(null);
  const approved = rows.filter(({ id, missing }) => missing.length === 0 || ticked.has(id));
  const needsReason = approved.some(({ required }) => required.length > 0);
  const repeats = approved.filter(({ repeat }) => repeat);
  const charge = approved.reduce((sum, { price }) => sum + Math.round((price ?? 0) * 100), 0) / 100;
  const approving = useAction({
    mutationFn: () => approveMany(approved, reason),
    onSuccess: onDone,
    onError: (error) => !isSignedOut(error) && setFailure(failureWords(error, 'The requests could not be approved. Please try again.')),
  });

  function approve() {
    if (needsReason && reason.trim().length < 3) setFailure('Give a reason for approving without the missing items.');
    else if (approved.length > 0) approving.run();
    else setFailure('Select at least one request.');
  }

  return (
    <ConfirmDialog
      title={rows.length === 1 ? 'Approve 1 request?' : `Approve ${rows.length} requests?`}
      confirmLabel={`Approve ${approved.length}`}
      pendingLabel="Approving..."
      isPending={approving.isPending}
      onConfirm={approve}
      onClose={() => !approving.isPending && onClose()}
    >
      <p>{readinessText(rows)}</p>
      {lacking.length > 0 && (
        <fieldset className="lacking">
          <legend>Approve these as well</legend>
          <label className="tick">
            <input
              type="checkbox"
              checked={ticked.size === lacking.length}
              onChange={({ target }) => setTicked(new Set(target.checked ? lacking.map(({ id }) => id) : []))}
            />
            <span>{`All ${lacking.length}`}</span>
          </label>
          <ul>
            {lacking.map((row) => (
              <li key={row.id}>
                <label className="tick">
                  <input type="checkbox" checked={ticked.has(row.id)} onChange={() => setTicked((before) => toggled(before, row.id))} />
                  <span><strong dir="auto">{row.studentName}</strong><span>{`, ${row.courseCode}: ${missingText(row.missing)}`}</span></span>
                </label>
              </li>
            ))}
          </ul>
        </fieldset>
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
      <p>
        Charges <strong>{moneyText(charge, '')}</strong><span>{`. ${approved.length === 1 ? 'One email is sent.' : `${approved.length} emails are sent.`}`}</span>
      </p>
      {rows.map(({ id }) => rows.length === 1 && charge > 0 && <details key={id} className="enrollment-history"><summary>What leaving costs</summary><Suspense><LeavingSteps id={id} portal="admin" /></Suspense></details>)}
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
