// Schema of enrolling a student on their behalf; the server validates last.
import * as z from 'zod/mini';
import type { Requirement } from '../../api-types.ts';
import { priceProblem, readPrice } from '../../courses/price.ts';
import type { components } from '../../openapi.ts';

export const onBehalfSchema = z
  .object({
    courseId: z.string().check(z.minLength(1, 'Course is required')),
    startDate: z.string().check(z.minLength(1, 'Start date is required')),
    endDate: z.string().check(z.minLength(1, 'End date is required')),
    price: z.string().check(
      z.check(({ value, issues }) => {
        const message = priceProblem(value);
        if (message) issues.push({ code: 'custom', message, input: value });
      }),
    ),
    status: z.enum(['active', 'pending']),
    reason: z.string().check(z.trim(), z.minLength(10, 'Please say in at least 10 characters why'), z.maxLength(1000, 'Must be at most 1000 characters')),
    override: z.string().check(z.trim(), z.maxLength(500, 'Must be at most 500 characters')),
  })
  .check(z.refine(({ startDate, endDate }) => !startDate || !endDate || endDate > startDate, {
    path: ['endDate'],
    message: 'End date must be after start date',
  }));

export function enrollmentForm(
  studentId: number,
  { courseId, price, override, ...rest }: z.infer<typeof onBehalfSchema>,
  lacking: readonly Requirement[],
): components['schemas']['EnrollForm'] {
  const amount = readPrice(price);
  return {
    ...rest,
    studentId,
    courseId: Number(courseId),
    ...(amount !== null && { price: amount }),
    ...(override && lacking.length > 0 && { override: Object.fromEntries(lacking.map((one) => [one, override])) }),
  };
}
