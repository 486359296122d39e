// What can become of a payment: where its parts are, and why it cannot be moved or reversed.
import type { ItemFees, Payment, RefundDue, StudentLedger } from '../../api-types.ts';
import { moneyText } from '../../money.ts';
import type { MoneyEntry } from '../charges/EntryDialog.tsx';

/** A part of a payment: what it pays of an enrollment. */
export type PaidPart = { enrollmentId: number; for: string; amount: number };

/** What a payment pays for now, enrollment by enrollment. */
export function partsOf({ id }: Payment, { entries }: Pick<StudentLedger, 'entries'>): PaidPart[] {
  const parts = new Map<number, PaidPart>();
  for (const { kind, paymentId, reversedBy, enrollmentId, for: label, amount } of entries) {
    if (kind !== 'payment' || paymentId !== id || reversedBy !== null || enrollmentId === null) continue;
    const before = parts.get(enrollmentId)?.amount ?? 0;
    // In cents, which add up.
    parts.set(enrollmentId, { enrollmentId, for: label, amount: (Math.round(before * 100) + Math.round(amount * 100)) / 100 });
  }
  return [...parts.values()];
}

export function whyNotMoved(payment: Payment, { entries, perItem }: Pick<StudentLedger, 'entries' | 'perItem'>): string | false {
  if (payment.voidedAt !== null) return 'It was reversed.';
  const parts = partsOf(payment, { entries });
  if (parts.length === 0) return 'It pays for no course. Apply what is on account instead.';
  const isFree = (part: PaidPart) => perItem.some(({ enrollmentId, due }) => enrollmentId !== null && enrollmentId !== part.enrollmentId && due > 0);
  return !parts.some(isFree) && 'No other course has something due.';
}

/** A refund that is due: of what was paid for the course while there is some, then of money on account. */
export function refundOf({ enrollmentId, credit, amount }: RefundDue, items: readonly ItemFees[]): MoneyEntry {
  const item = credit > 0 ? items.find((item) => item.enrollmentId === enrollmentId) : undefined;
  return item ? { what: 'refund', item } : { what: 'payBack', unapplied: amount };
}

export function whyNotReversed(payment: Payment, { payouts }: Pick<StudentLedger, 'payouts'>): string | false {
  if (payment.voidedAt !== null) return `It was reversed: receipt ${payment.receiptNumber} is void.`;
  const returned = payouts.filter(({ paymentId }) => paymentId === payment.id).reduce((sum, { amount }) => sum + amount, 0);
  return returned > 0 && `${moneyText(returned, '')} of it was refunded. Reverse that first.`;
}
