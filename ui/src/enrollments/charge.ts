// A charge that the office posts: its two fields, in the server's words where they break a rule.
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
  // Whether it is early enough is the server's to say: it knows the school's day.
  dueOn: z.string().check(z.minLength(1, 'Due date is required')),
});

export type ChargeValues = z.infer<typeof chargeSchema>;

function amountProblem(text: string): string | null {
  if (text.trim() === '') return 'Amount is required';
  if (priceProblem(text) === null && Number(readPrice(text)) > 0) return null;
  return 'Amount must be more than $0.00 and at most $99,999,999.99, with at most two decimals';
}

/** What the form begins with: what the course costs today, if anything, and the usual day. */
export function usualCharge({ current_fee, usual_due_on }: Pick<UnpricedEnrollment, 'current_fee' | 'usual_due_on'>): ChargeValues {
  return { amount: current_fee ? current_fee.toFixed(2) : '', dueOn: usual_due_on };
}

/** The amount as it is sent. */
export function amountOf({ amount }: ChargeValues): number {
  return Number(readPrice(amount));
}
