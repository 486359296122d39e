// The money of an admission, for the dialog of payments.
import type { ItemFees } from '../api-types.ts';
import type { RequestFile } from './wire.ts';

/** The admission as the dialog of payments takes it. */
export function admissionItems({ admission }: Pick<RequestFile, 'admission'>): ItemFees[] {
  if (!admission) return [];
  const { id, feeDue, feePaid } = admission;
  const due = Math.max(0, cents(feeDue) - cents(feePaid)) / 100;
  return [{ for: 'Admission', enrollmentId: null, admissionId: id, charged: feeDue, quoted: null, waived: 0, paid: feePaid, refunded: 0, due, credit: 0, dueOn: null, instalments: [], open: due > 0 ? [{ dueOn: null, amount: due }] : [] }];
}

const cents = (dollars: number) => Math.round(dollars * 100);
