// The four grades, and how a grade is read from an address.
import type { Grade } from '../api-types.ts';

/** Section 2: five placeholders while a grade loads, seven for grade 12. */
const placeholders = { 9: 5, 10: 5, 11: 5, 12: 7 } satisfies Record<Grade, number>;

export const grades = Object.keys(placeholders).map(Number) as Grade[];
export const defaultGrade: Grade = 9;

/** The grade in a query parameter; null unless it is 9, 10, 11 or 12. */
export function readGrade(text: string | null): Grade | null {
  return grades.find((grade) => String(grade) === text) ?? null;
}

export function skeletonCount(grade: Grade): number {
  return placeholders[grade];
}
