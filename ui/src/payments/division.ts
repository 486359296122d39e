// What a payment will pay for: shown before it is recorded; the server decides.
import type { ItemFees } from '../api-types.ts';
import { priceProblem, readPrice } from '../courses/price.ts';
import { moneyText } from '../money.ts';

/** The choices beside one item: what is due, the oldest first; or nothing. */
export type Target = 'oldest' | 'account' | `${'enrollment' | 'admission'}-${number}`;

export const targetOf = ({ enrollmentId, admissionId }: ItemFees): Target =>
  enrollmentId === null ? `admission-${admissionId ?? 0}` : `enrollment-${enrollmentId}`;

/** Enrollments before admissions, the oldest due first. */
const place = ({ admissionId, dueOn }: ItemFees) => `${admissionId === null ? 0 : 1} ${dueOn ?? ''}`;

/** Items with something due, in the order in which money reaches them. */
export function dueItems(items: readonly ItemFees[]): ItemFees[] {
  return items.filter(({ due }) => due > 0).toSorted((a, b) => place(a).localeCompare(place(b)));
}

/** The body's fields for a choice. */
export function targetFields(target: Target): { enrollmentId?: number; admissionId?: number; allocations?: [] } {
  const [kind, id] = target.split('-');
  if (kind === 'enrollment') return { enrollmentId: Number(id) };
  if (kind === 'admission') return { admissionId: Number(id) };
  return target === 'account' ? { allocations: [] } : {};
}

/** The amount to send: a number if it is one beyond doubt, else what was typed, which the server asks back. */
export function amountToSend(text: string): number | string {
  const isPlain = priceProblem(text) === null && !/\.\d{3}/.test(text);
  return isPlain ? (readPrice(text) ?? text) : text;
}

/** "ENG4U · English $500.00, MHF4U · Functions $52.00. $10.00 stays on account."; '' without an amount. */
export function divisionText(amount: string, target: Target, items: readonly ItemFees[]): string {
  // In cents, which add up.
  const sent = amountToSend(amount);
  let left = typeof sent === 'number' ? Math.round(sent * 100) : 0;
  if (left <= 0) return '';
  const chosen = target === 'account' ? [] : dueItems(items).filter((item) => target === 'oldest' || targetOf(item) === target);
  const parts: string[] = [];
  for (const item of chosen) {
    const part = Math.min(left, Math.round(item.due * 100));
    left -= part;
    if (part > 0) parts.push(`${item.for} ${moneyText(part / 100, '')}`);
  }
  const rest = left > 0 ? `${moneyText(left / 100, '')} stays on account.` : '';
  return [parts.length > 0 && `${parts.join(', ')}.`, rest].filter(Boolean).join(' ');
}
