// The form of a transfer; the server validates last.
import * as z from 'zod/mini';
import { moneyText } from '../../money.ts';
import { reason } from './decisionForms.ts';

export const transferSchema = z
  .object({ courseId: z.string(), sectionId: z.string(), startDate: z.string(), endDate: z.string(), price: z.enum(['', 'keep', 'new']), reason, guardian: z.string().check(z.trim(), z.maxLength(500, 'Must be at most 500 characters')) })
  .check(
    z.refine(({ courseId, sectionId }) => courseId !== '' || sectionId !== '', { path: ['sectionId'], message: 'Choose another section, or another course' }),
    z.refine(({ sectionId, startDate, endDate }) => sectionId !== '' || endDate > startDate, { path: ['endDate'], message: 'End date must be after start date' }),
  );

type TransferValues = z.infer<typeof transferSchema>;

/** A section has its own course and dates. */
export function transferBody({ courseId, sectionId, startDate, endDate, price, reason: why, guardian }: TransferValues) {
  const to = sectionId ? { sectionId: Number(sectionId) } : { courseId: Number(courseId), startDate, endDate };
  return { ...to, ...(price && { price }), reason: why, ...(guardian && { override: { guardian } }) };
}

/** "$120.00 more are charged." */
export function differenceWords(charged: number, price: number): string {
  const difference = price - charged;
  return difference > 0 ? `${moneyText(difference, '')} more is charged.` : `${moneyText(-difference, '')} is credited to the student.`;
}
