// What a payment will pay for: shown and edited before it is recorded; the server decides.
import type { ItemFees } from '../../api-types.ts';
import { priceProblem, readPrice } from '../../courses/price.ts';
import { moneyText } from '../../money.ts';

/** Names an enrollment or an admission. */
export type ItemKey = `${'enrollment' | 'admission'}-${number}`;

export const keyOf = ({ enrollmentId, admissionId }: Pick<ItemFees, 'enrollmentId' | 'admissionId'>): ItemKey =>
  enrollmentId === null ? `admission-${admissionId ?? 0}` : `enrollment-${enrollmentId}`;

/** The body's field for an item. */
export function itemField(key: ItemKey): { enrollmentId: number } | { admissionId: number } {
  const [kind, id] = key.split('-');
  return kind === 'enrollment' ? { enrollmentId: Number(id) } : { admissionId: Number(id) };
}

const cents = (dollars: number) => Math.round(dollars * 100);

const place = ({ admissionId }: ItemFees, dueOn: string | null) => `${admissionId === null ? 0 : 1} ${dueOn ?? ''}`;

/** What is left to pay, in the order in which money reaches it: enrollments before admissions, the oldest due first. */
function openParts(items: readonly ItemFees[]) {
  // The items come newest first; of two due on one day the older is paid first.
  const parts = items.toReversed().flatMap((item) => item.open.map(({ dueOn, amount }) => ({ item, cents: cents(amount), place: place(item, dueOn) })));
  return parts.toSorted((a, b) => a.place.localeCompare(b.place));
}

/** Items with something due, in the order in which money reaches them. */
export const dueItems = (items: readonly ItemFees[]): ItemFees[] => [...new Set(openParts(items).map(({ item }) => item))];

/** The amount to send: a number if it is one beyond doubt, else what was typed, which the server asks back. */
export function amountToSend(text: string): number | string {
  return priceProblem(text) === null ? (readPrice(text) ?? text) : text;
}

/** Cents of a typed amount; null if it is none beyond doubt. */
export function centsOf(text: string): number | null {
  const sent = text.trim() === '' ? 0 : amountToSend(text);
  return typeof sent === 'number' ? cents(sent) : null;
}

/** A part for each item, as typed; what is not named gets nothing. */
export type Parts = Readonly<Partial<Record<ItemKey, string>>>;

/** An amount divided among what is due, the oldest first. */
export function oldestFirst(amount: string, items: readonly ItemFees[]): Parts {
  let left = centsOf(amount) ?? 0;
  const parts = new Map<ItemKey, number>();
  for (const part of openParts(items)) {
    const paid = Math.min(left, part.cents);
    left -= paid;
    if (paid > 0) parts.set(keyOf(part.item), (parts.get(keyOf(part.item)) ?? 0) + paid);
  }
  return Object.fromEntries([...parts].map(([key, paid]) => [key, (paid / 100).toFixed(2)]));
}

/** What is wrong with a division, in words; null if nothing is. */
export function divisionProblem(amount: string, parts: Parts, items: readonly ItemFees[]): string | null {
  for (const item of items) {
    const part = centsOf(parts[keyOf(item)] ?? '');
    if (part === null) return `Write the part for ${item.for} like 1,200.50`;
    if (part > cents(item.due)) return `Only ${moneyText(item.due, '')} is due for ${item.for}`;
  }
  const over = sumOf(parts) - (centsOf(amount) ?? 0);
  return centsOf(amount) !== null && over > 0 ? `The parts add up to ${moneyText(over / 100, '')} more than the payment` : null;
}

const sumOf = (parts: Parts) => Object.values(parts).reduce((sum, part) => sum + (centsOf(part ?? '') ?? 0), 0);

/** "Leaves $52.00 on account."; '' without an amount. */
export function restText(amount: string, parts: Parts): string {
  const total = centsOf(amount) ?? 0;
  const rest = total - sumOf(parts);
  if (total <= 0 || rest < 0) return '';
  return rest === 0 ? 'Leaves nothing on account.' : `Leaves ${moneyText(rest / 100, '')} on account.`;
}

/** The body's parts of a division. */
export const allocationsOf = (parts: Parts) =>
  (Object.entries(parts) as [ItemKey, string][]).filter(([, part]) => (centsOf(part) ?? 0) > 0).map(([key, part]) => Object.assign(itemField(key), { amount: amountToSend(part) }));
