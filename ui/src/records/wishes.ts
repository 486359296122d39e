// Courses that were wanted in an application and were not requested since.
import type { StudentFile } from '../api-types.ts';
import { enrollmentIn } from '../enrollments/earlierEnrollments.ts';

export type Wish = { code: string; reference: string };

/** Each course once, under its newest application. */
export function openWishes({ applications, enrollments }: Pick<StudentFile, 'applications' | 'enrollments'>): Wish[] {
  const all = (applications ?? []).flatMap(({ wantedCourses, reference }) => wantedCourses.map((code) => ({ code, reference })));
  return all.filter(({ code }, place) => !enrollmentIn(enrollments, { code }) && all.findIndex((one) => one.code === code) === place);
}
