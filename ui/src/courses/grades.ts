// The four grades, and how a grade is read from an address.
import type { Grade } from '../api-types.ts';

export const grades = [9, 10, 11, 12] as const satisfies readonly Grade[];
export const defaultGrade: Grade = 9;

/** The grade a query parameter names, or null for anything but 9, 10, 11 and 12. */
export function readGrade(text: string | null): Grade | null {
  return grades.find((grade) => String(grade) === text) ?? null;
}

/** Section 2: five placeholders while a grade loads, seven for grade 12. */
export function skeletonCount(grade: Grade): number {
  return grade === 12 ? 7 : 5;
}
