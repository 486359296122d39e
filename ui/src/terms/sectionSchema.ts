// The form of a section; the server validates last.
import * as z from 'zod/mini';
import type { Delivery, OfficeSection, SectionInput, SectionKind, Term } from '../api-types.ts';
import { priceProblem, readPrice } from '../courses/price.ts';
import { hoursText } from '../meetings.ts';
import { readHours } from './hours.ts';

export const sectionFields = ['courseId', 'label', 'kind', 'delivery', 'days', 'startsAt', 'endsAt', 'hours', 'link', 'teacherName', 'startsOn', 'endsOn', 'capacity', 'price'] as const;

/** The error of a typed number of seats; null if it is valid or empty. */
export function seatsProblem(text: string): string | null {
  const isSeats = /^\d{0,5}$/.test(text.trim()) && (text.trim() === '' || (Number(text) >= 1 && Number(text) <= 10_000));
  return isSeats ? null : 'Seats must be a whole number from 1 to 10,000, or empty for no limit';
}

const follows = (problem: (text: string) => string | null) => z.check<string>(({ value, issues }) => {
  const message = problem(value);
  if (message) issues.push({ code: 'custom', message, input: value });
});

export const sectionSchema = z
  .object({
    courseId: z.string().check(z.minLength(1, 'Course is required')),
    label: z.string().check(z.trim(), z.maxLength(20, 'Label must be at most 20 characters')),
    kind: z.string(),
    delivery: z.string(),
    /** Digits of the weekdays. */
    days: z.string(),
    startsAt: z.string(),
    endsAt: z.string(),
    hours: z.string().check(follows((text) => problemOf(text))),
    link: z.string().check(z.trim(), z.refine((text) => text === '' || /^https:\/\/\S+$/.test(text), 'Link must begin with https://')),
    teacherName: z.string().check(z.trim(), z.maxLength(200, 'Teacher must be at most 200 characters')),
    startsOn: z.string().check(z.minLength(1, 'First day is required')),
    endsOn: z.string().check(z.minLength(1, 'Last day is required')),
    capacity: z.string().check(follows(seatsProblem)),
    price: z.string().check(follows(priceProblem)),
  })
  .check(
    z.refine(({ startsOn, endsOn }) => !startsOn || !endsOn || startsOn < endsOn, { path: ['endsOn'], message: 'Last day must be after the first day' }),
    z.refine(({ days, startsAt }) => days === '' || startsAt !== '', { path: ['startsAt'], message: 'Say when a class starts' }),
    z.refine(({ days, startsAt, endsAt }) => days === '' || endsAt > startsAt, { path: ['endsAt'], message: 'A class must end after it starts' }),
  );

function problemOf(text: string): string | null {
  const read = readHours(text, []);
  return 'problem' in read ? read.problem : null;
}

export type SectionValues = z.infer<typeof sectionSchema>;

export function sectionValues(section: OfficeSection | null, term: Term): SectionValues {
  return {
    courseId: String(section?.courseId ?? ''),
    label: section?.label ?? '',
    kind: section?.kind ?? 'regular',
    delivery: section?.delivery ?? 'synchronous',
    days: '',
    startsAt: '',
    endsAt: '',
    hours: hoursText(section?.meetings ?? []),
    link: section?.meetings[0]?.link ?? '',
    teacherName: section?.teacherName ?? '',
    startsOn: section?.startsOn ?? term.startsOn,
    endsOn: section?.endsOn ?? term.endsOn,
    capacity: String(section?.capacity ?? ''),
    price: section?.price === null || section?.price === undefined ? '' : Number(section.price).toFixed(2),
  };
}

export function sectionInput(values: SectionValues, before: OfficeSection['meetings'] = []): SectionInput {
  const { days, startsAt, endsAt, hours, link } = values;
  const read = readHours(hours, before);
  const typed = days ? [...days].map((day) => ({ weekday: Number(day), startsAt, endsAt })) : 'meetings' in read ? read.meetings : [];
  return {
    courseId: Number(values.courseId),
    // Otherwise the next letter.
    ...(values.label && { label: values.label }),
    kind: values.kind as SectionKind,
    delivery: values.delivery as Delivery,
    startsOn: values.startsOn,
    endsOn: values.endsOn,
    capacity: values.capacity.trim() === '' ? null : Number(values.capacity),
    price: readPrice(values.price),
    teacherName: values.teacherName || null,
    meetings: typed.map((one) => Object.assign(one, { link: link || null })),
  };
}

/** Only what was changed, so that students are told of nothing else and a colleague's changes are kept. */
export function sectionChanges(section: OfficeSection, term: Term, values: SectionValues): SectionInput {
  const before = sectionInput(sectionValues(section, term), section.meetings);
  const changed = Object.entries(sectionInput(values, section.meetings)).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof SectionInput]));
  return Object.fromEntries(changed);
}
