// Schemas of the decision forms; the server validates last.
import * as z from 'zod/mini';

const short = 'Please say in at least 10 characters why; the student reads it';

export const reason = z.string().check(z.trim(), z.minLength(10, short), z.maxLength(1000, 'Must be at most 1000 characters'));

const wrongMark = 'Mark must be a whole number from 0 to 100';

/** A typed mark; empty for none. */
const optionalMark = z.string().check(z.trim(), z.regex(/^(\d{1,2}|100)?$/, wrongMark));

const date = (missing: string) => z.string().check(z.minLength(1, missing));

export const reasonSchema = z.object({ reason });

export const withdrawalSchema = z.object({
  effectiveOn: date('Effective date is required'),
  reason,
  mark: optionalMark,
  refund: z.enum(['none', 'full', 'policy']),
});

export const datesSchema = z
  .object({
    startDate: date('Start date is required'),
    endDate: date('End date is required'),
    reason,
    override: z.string().check(z.trim(), z.maxLength(500, 'Must be at most 500 characters')),
    fee: z.string(),
  })
  .check(z.refine(({ startDate, endDate }) => !startDate || !endDate || endDate > startDate, {
    path: ['endDate'],
    message: 'End date must be after start date',
  }));

export const markSchema = z.object({
  finalMark: z.string().check(z.trim(), z.minLength(1, 'Final mark is required'), z.regex(/^(\d{1,2}|100)?$/, wrongMark)),
  reason: z.string().check(z.trim(), z.maxLength(1000, 'Must be at most 1000 characters')),
  mailReason: z.boolean(),
});

/** Whether a mark earns the credit. */
export function earnsCredit(mark: string): boolean {
  return /^\d+$/.test(mark.trim()) && Number(mark) >= 50;
}
