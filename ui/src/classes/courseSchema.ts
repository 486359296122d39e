// The office's course form: its rules with section 5's messages, and the way between what is
// typed and what is sent. The code's characters and the longest texts are the server's to judge.
import * as z from 'zod/mini';
import type { CourseInput, CourseType, Grade, OfficeCourse } from '../api-types.ts';
import { defaultGrade } from '../courses/grades.ts';
import { priceProblem, readPrice } from '../courses/price.ts';

/** Field names in display order. */
export const courseFields = [
  'code', 'grade', 'courseType', 'name', 'description', 'prerequisite', 'price', 'credits', 'capacity', 'isCompulsory', 'isOpen',
] as const;

const oneLine = z.overwrite<string>((text) => text.trim().replace(/\s+/g, ' '));
const isCredits = (text: string) => /^(\d+\.?\d{0,2}|\.\d{1,2})$/.test(text) && Number(text) > 0 && Number(text) <= 4;

/** The error of a typed number of seats; null if it is valid or empty. */
export function seatsProblem(text: string): string | null {
  const isSeats = /^\d{0,6}$/.test(text.trim()) && (text.trim() === '' || (Number(text) >= 1 && Number(text) <= 10_000));
  return isSeats ? null : 'Seats must be a whole number from 1 to 10,000, or empty for no limit';
}

/** Empty means no limit. */
export const readSeats = (text: string) => (text.trim() === '' ? null : Number(text));

/** A price as editable text. */
export function priceInputText(price: OfficeCourse['price']): string {
  // Section 3: a price may arrive as a string.
  return price === null || price === undefined ? '' : Number(price).toFixed(2);
}

const follows = (problem: (text: string) => string | null) => z.check<string>(({ value, issues }) => {
  const message = problem(value);
  if (message) issues.push({ code: 'custom', message, input: value });
});

export const courseSchema = z.object({
  code: z.string().check(
    z.overwrite((text) => text.replace(/\s/g, '')),
    z.minLength(2, 'Course code must be at least 2 characters'),
    // The sentence is the specification's; its rule lets exactly 10 pass.
    z.maxLength(10, 'Course code must be less than 10 characters'),
  ),
  grade: z.string(),
  name: z.string().check(oneLine, z.minLength(3, 'Course name must be at least 3 characters')),
  courseType: z.string().check(z.minLength(1, 'Course type is required')),
  credits: z.string().check(
    z.trim(),
    z.refine(isCredits, 'Credits must be more than 0 and at most 4, with at most two decimals'),
  ),
  prerequisite: z.string().check(oneLine),
  price: z.string().check(follows(priceProblem)),
  capacity: z.string().check(follows(seatsProblem)),
  description: z.string().check(z.trim(), z.minLength(10, 'Description must be at least 10 characters')),
  isCompulsory: z.boolean(),
  isOpen: z.boolean(),
});

export type CourseValues = z.infer<typeof courseSchema>;

/** Initial values: a course's fields, or section 2's defaults with the shown grade. */
export function valuesOf(course: OfficeCourse | null, grade: Grade = defaultGrade): CourseValues {
  return {
    code: course?.code ?? '',
    grade: String(course?.grade ?? grade),
    name: course?.name ?? '',
    courseType: course?.courseType ?? 'Academic',
    credits: String(course?.credits ?? 1),
    prerequisite: course?.prerequisite ?? '',
    price: priceInputText(course?.price ?? null),
    capacity: String(course?.capacity ?? ''),
    description: course?.description ?? '',
    isCompulsory: course?.isCompulsory ?? false,
    isOpen: course?.isOpen ?? true,
  };
}

export function inputOf({ grade, courseType, credits, prerequisite, price, capacity, ...rest }: CourseValues): CourseInput {
  return {
    ...rest,
    grade: Number(grade) as Grade,
    courseType: courseType as CourseType,
    credits: Number(credits),
    prerequisite: prerequisite || null,
    price: readPrice(price),
    capacity: readSeats(capacity),
  };
}

/** Only the changed fields, so that a colleague's changes to others are kept. */
export function changesOf(course: OfficeCourse, values: CourseValues): Partial<CourseInput> {
  const before = inputOf(valuesOf(course));
  const after = Object.entries(inputOf(values)) as [keyof CourseInput, unknown][];
  return Object.fromEntries(after.filter(([name, value]) => value !== before[name]));
}
