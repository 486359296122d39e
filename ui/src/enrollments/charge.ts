// Rules of the charge form, in the server's words.
import * as z from 'zod/mini';
import type { UnpricedEnrollment } from '../api-types.ts';
import { priceProblem, readPrice } from '../courses/price.ts';

export const chargeSchema = z.object({
  amount: z.string().check(
    z.check(({ value, issues }) => {
      const message = amountProblem(value);
      if (message) issues.push({ code: 'custom', message, input: value });
    }),
  ),
  // The server checks the range: it knows the school's date.
  dueOn: z.string().check(z.minLength(1, 'Due date is required')),
});

export type ChargeValues = z.infer<typeof chargeSchema>;

function amountProblem(text: string): string | null {
  if (text.trim() === '') return 'Amount is required';
  if (priceProblem(text) === null && Number(readPrice(text)) > 0) return null;
  return 'Amount must be more than $0.00 and at most $99,999,999.99, with at most two decimals';
}

/** Initial values: the course's current price and the usual due date. */
export function usualCharge({ current_fee, usual_due_on }: Pick<UnpricedEnrollment, 'current_fee' | 'usual_due_on'>): ChargeValues {
  return { amount: current_fee ? current_fee.toFixed(2) : '', dueOn: usual_due_on };
}

/** The amount to send. */
export function amountOf({ amount }: ChargeValues): number {
  return Number(readPrice(amount));
}
