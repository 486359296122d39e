// A student on the family page: requests that wait for the reader, then courses, missing items and the balance.
import { lazy, Suspense } from 'react';
import type { Family, FamilyChild as Child, FamilyEnrollment } from '../api-types.ts';
import { loadPart } from '../components/loadPart.ts';
import { StatusBadge } from '../components/StatusBadge.tsx';
import { SectionHours } from '../courses/SectionHours.tsx';
import { dateText } from '../dates.ts';
import { moneyText } from '../money.ts';
import { RequestCard } from './RequestCard.tsx';

/** Most families come to confirm a request, before anything is charged. */
const FeesView = lazy(async () => ({ default: (await loadPart(() => import('../money/payments/FeesView.tsx'))).FeesView }));

type FamilyChildProps = { child: Child; family: Family; name: string; onName: (name: string) => void };

export function FamilyChild({ child, family, name, onName }: FamilyChildProps) {
  const { id, fullName, enrollments, wanted, balance, fees } = child;
  const asked = enrollments.filter(({ isAsked }) => isAsked);
  const others = enrollments.filter(({ isAsked }) => !isAsked);
  const missing = missingWords(wanted);
  const hasFees = fees.entries.length > 0 || fees.receipts.length > 0;
  const student = fullName ?? 'The student';
  return (
    <section aria-labelledby={`child-${id}`}>
      <h2 id={`child-${id}`} dir="auto" tabIndex={-1}>{student}</h2>
      {asked.map((enrollment) => (
        <RequestCard key={enrollment.id} enrollment={enrollment} child={child} family={family} name={name} onName={onName} />
      ))}
      <div className="card">
        {others.length === 0 && asked.length === 0 && <p className="muted">No courses yet.</p>}
        {others.length > 0 && (
          <ul className="rows bare">{others.map((enrollment) => <Row key={enrollment.id} enrollment={enrollment} />)}</ul>
        )}
        {(missing || !hasFees) && (
          <dl className="grid">
            {missing && <div className="is-wide"><dt>Still needed from the student</dt><dd>{missing}</dd></div>}
            {!hasFees && <div><dt>Balance</dt><dd>{balanceWords(balance)}</dd></div>}
          </dl>
        )}
        {hasFees && <Suspense fallback={null}><h3>Fees</h3><FeesView fees={fees} portal="family" statement={`/api/family/students/${id}/statement`} /></Suspense>}
      </div>
    </section>
  );
}

function Row({ enrollment }: { enrollment: FamilyEnrollment }) {
  const { course, section, status, startDate, endDate, price, reason } = enrollment;
  return (
    <li className="row">
      <div>
        <p><strong dir="auto">{course.name}</strong><span>{` (${course.code})`}</span></p>
        <p className="muted">{`${dateText(startDate, '')} to ${dateText(endDate, '')} · ${moneyText(price, 'Price not set')}`}</p>
        {section && <p className="family-class"><SectionHours section={section} startsOn={startDate} endsOn={endDate} /></p>}
        {confirmedWords(enrollment) && <p className="muted">{confirmedWords(enrollment)}</p>}
        {reason && <p className="muted" dir="auto">{reason}</p>}
      </div>
      <StatusBadge status={status} />
    </li>
  );
}

/** What became of the confirmation of an open request; empty for others. */
export function confirmedWords({ status, guardianConfirmed, isWaitingForOthers }: Pick<FamilyEnrollment, 'status' | 'guardianConfirmed' | 'isWaitingForOthers'>): string {
  if (status !== 'pending' && status !== 'waitlisted') return '';
  if (isWaitingForOthers) return 'You confirmed. The school also asks the other guardian.';
  return guardianConfirmed ? 'Confirmed. The office decides next.' : 'The office decides next.';
}

/** What the school still needs from the student; the guardian's own part is asked for above. */
export function missingWords(wanted: Child['wanted']): string {
  return wanted
    .filter(({ kind }) => kind !== 'guardian_confirmation')
    .map(({ label, isWithOffice }) => (isWithOffice ? `${label} (with the office)` : label))
    .join(', ');
}

function balanceWords(balance: number): string {
  if (balance === 0) return 'Nothing is due.';
  return balance > 0 ? `${moneyText(balance, '')} due` : `${moneyText(-balance, '')} in credit`;
}
