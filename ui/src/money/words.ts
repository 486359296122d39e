// The words of payments.
import type { LedgerEntry, PaymentMethod } from '../api-types.ts';
import { schoolDay, type Zone } from '../dates.ts';

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
export const receiptPath = (number: string, portal: 'admin' | 'students' | 'family') => `/api/${portal}/receipts/${number}`;

/** The school's date. */
export const todayIn = (timeZone: Zone) => schoolDay(timeZone);

export const kinds = {
  charge: 'Charge',
  payment: 'Payment',
  waiver: 'Waiver',
  refund: 'Refund',
  reversal: 'Reversal',
} satisfies Record<LedgerEntry['kind'], string>;

/** "No students", "1 student", "12 students", and what is said of several. */
export const studentCount = (total: number, more = '') => (total === 0 ? 'No students' : total === 1 ? '1 student' : `${total} students${more}`);
