// The money of an admission: what it comes to, and the part that an offer asked for first.
import type { ItemFees } from '../api-types.ts';
import type { RequestFile } from './wire.ts';

/** The admission as the dialog of payments takes it. */
export function admissionItems({ admission }: Pick<RequestFile, 'admission'>): ItemFees[] {
  if (!admission) return [];
  const { id, feeDue, feePaid } = admission;
  const due = Math.max(0, cents(feeDue) - cents(feePaid)) / 100;
  return [{ for: 'Admission', enrollmentId: null, admissionId: id, charged: feeDue, quoted: null, waived: 0, paid: feePaid, refunded: 0, due, credit: 0, dueOn: null, instalments: [], open: due > 0 ? [{ dueOn: null, amount: due }] : [] }];
}

/** What of the deposit has been received and is left; null without one, or once nothing is to be paid. */
export function depositOf({ offer, admission }: Pick<RequestFile, 'offer' | 'admission'>): { received: number; left: number } | null {
  if (!offer || offer.deposit === null || !admission) return null;
  const deposit = Math.min(cents(offer.deposit), cents(admission.feeDue));
  const received = Math.min(deposit, cents(admission.feePaid));
  return { received: received / 100, left: (deposit - received) / 100 };
}

const cents = (dollars: number) => Math.round(dollars * 100);
