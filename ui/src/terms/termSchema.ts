// The form of a term; the server validates last.
import * as z from 'zod/mini';
import type { Term, TermInput } from '../api-types.ts';
import { daysOffText, readDaysOff } from './daysOff.ts';

export const termFields = [
  'name', 'startsOn', 'endsOn', 'joinUntil', 'requestsFrom', 'requestsUntil', 'midtermOn', 'firstReportOn', 'finalOn', 'daysOff', 'isPublished',
] as const;

const date = (missing: string) => z.string().check(z.minLength(1, missing));

export const termSchema = z
  .object({
    name: z.string().check(z.trim(), z.minLength(1, 'Name is required'), z.maxLength(60, 'Name must be at most 60 characters')),
    startsOn: date('First day is required'),
    endsOn: date('Last day is required'),
    joinUntil: date('Last day to join is required'),
    requestsFrom: z.string(),
    requestsUntil: z.string(),
    midtermOn: z.string(),
    firstReportOn: z.string(),
    finalOn: z.string(),
    daysOff: z.string().check(
      z.check(({ value, issues }) => {
        const { unread } = readDaysOff(value);
        if (unread.length > 0) issues.push({ code: 'custom', message: `Write each as a date, such as 2027-02-15: ${unread.join(', ')}`, input: value });
      }),
    ),
    isPublished: z.boolean(),
  })
  .check(
    z.refine(({ startsOn, endsOn }) => !startsOn || !endsOn || startsOn < endsOn, { path: ['endsOn'], message: 'Last day must be after the first day' }),
    z.refine(({ startsOn, endsOn, joinUntil }) => !joinUntil || (startsOn <= joinUntil && joinUntil <= endsOn), {
      path: ['joinUntil'], message: 'Last day to join must be within the term',
    }),
  );

export type TermValues = z.infer<typeof termSchema>;

export function termValues(term: Term | null): TermValues {
  return {
    name: term?.name ?? '',
    startsOn: term?.startsOn ?? '',
    endsOn: term?.endsOn ?? '',
    joinUntil: term?.joinUntil ?? '',
    requestsFrom: term?.requestsFrom ?? '',
    requestsUntil: term?.requestsUntil ?? '',
    midtermOn: term?.midtermOn ?? '',
    firstReportOn: term?.firstReportOn ?? '',
    finalOn: term?.finalOn ?? '',
    daysOff: daysOffText(term?.daysOff ?? []),
    isPublished: term?.isPublished ?? false,
  };
}

export function termInput({ daysOff, requestsFrom, requestsUntil, midtermOn, firstReportOn, finalOn, ...rest }: TermValues): TermInput {
  return {
    ...rest,
    requestsFrom: requestsFrom || null,
    requestsUntil: requestsUntil || null,
    midtermOn: midtermOn || null,
    firstReportOn: firstReportOn || null,
    finalOn: finalOn || null,
    daysOff: readDaysOff(daysOff).dates,
  };
}
