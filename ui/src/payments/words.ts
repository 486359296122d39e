// The words of payments.
import type { PaymentMethod } from '../api-types.ts';

export const methods = {
  e_transfer: 'e-Transfer',
  cheque: 'Cheque',
  cash: 'Cash',
  card: 'Card',
  wire: 'Wire transfer',
  online: 'Online',
  other: 'Other',
} satisfies Record<PaymentMethod, string>;

/** The address of a receipt's page to print. */
export const receiptPath = (number: string, portal: 'admin' | 'students') => `/api/${portal}/receipts/${number}`;
