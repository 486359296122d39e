// The terms of a request: due date, payment, cancellation, refunds, and the school's name and address.
import { lazy, Suspense } from 'react';
import type { Course, EnrollmentTerms } from '../api-types.ts';
import { loadPart } from '../components/loadPart.ts';
import { useSchool } from '../school/queries.ts';
import type { QuoteRequest } from './leaving.ts';

const QuotedSteps = lazy(async () => ({ default: (await loadPart(() => import('./LeavingSteps.tsx'))).QuotedSteps }));

/** `wanted` is null until a section or days are chosen. */
type EnrollTermsProps = { course: Course; dates: EnrollmentTerms; wanted: QuoteRequest | null };

export function EnrollTerms({ course, dates: { dueDays, howToPay, howToCancel, refunds }, wanted }: EnrollTermsProps) {
  const { name, address, phone, email } = useSchool();
  const place = [address.street, address.city, [address.province, address.postalCode].filter(Boolean).join(' ')].filter(Boolean).join(', ');
  const isFree = course.price === 0;
  return (
    <dl className="enroll-terms">
      {!isFree && <><dt>Due</dt><dd>{`${dueDays} days after the office approves your request. Nothing is due before.`}</dd></>}
      {!isFree && <><dt>How to pay</dt><dd>{howToPay}</dd></>}
      <dt>How to cancel</dt><dd>{howToCancel}</dd>
      {!isFree && <><dt>Refunds</dt><dd>{refunds}</dd></>}
      {!isFree && course.price !== null && wanted && <Suspense><QuotedSteps wanted={wanted} /></Suspense>}
      <dt>School</dt><dd>{[name, place, phone, email].filter(Boolean).join(', ')}</dd>
    </dl>
  );
}
