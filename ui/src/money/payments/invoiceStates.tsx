// The states of invoices in words, and their badges.
import type { InvoiceState } from '../../api-types.ts';
import type { Tone } from '../../closedSets.ts';

export const invoiceTones = { open: 'yellow', partly_paid: 'yellow', paid: 'green', changed: 'blue', cancelled: 'red' } satisfies Record<InvoiceState, Tone>;

/** "partly paid" */
export const invoiceWords = (state: InvoiceState) => (state === 'changed' ? 'changed since' : state.replace('_', ' '));

export const InvoiceBadge = ({ state, title }: { state: InvoiceState; title?: string | undefined }) => <span className={`badge tone-${invoiceTones[state]}`} title={title}>{invoiceWords(state)}</span>;
