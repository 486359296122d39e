// The states of invoices in words, and their badges.
import type { InvoiceState } from '../api-types.ts';
import type { Tone } from '../closedSets.ts';

export const invoiceStates = {
  open: { words: 'open', tone: 'yellow' },
  partly_paid: { words: 'partly paid', tone: 'yellow' },
  paid: { words: 'paid', tone: 'green' },
  changed: { words: 'changed since', tone: 'blue' },
  cancelled: { words: 'cancelled', tone: 'red' },
} satisfies Record<InvoiceState, { words: string; tone: Tone }>;

/** `title`: why it is so, where that is known. */
export function InvoiceBadge({ state, title }: { state: InvoiceState; title?: string | null }) {
  const { words, tone } = invoiceStates[state];
  return <span className={`badge tone-${tone}`} title={title ?? (state === 'changed' ? 'Something on it was waived or reversed after it was issued. Cancel it and issue another, or leave it.' : undefined)}>{words}</span>;
}
