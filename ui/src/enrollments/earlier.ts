// Whether a course can be requested, given what became of earlier requests for it: one that came
// to nothing may be sent again (DESIGN, States).
import type { Enrollment } from '../api-types.ts';

/** True while an enrollment stands in the way of another one in the same course. */
export function isOpen({ status }: Pick<Enrollment, 'status'>): boolean {
  return status !== 'declined' && status !== 'withdrawn';
}

/** The enrollment that matters for a course: the one that counts, else the latest. The list comes newest first. */
export function enrollmentIn(enrollments: readonly Enrollment[], courseId: number): Enrollment | undefined {
  const ofCourse = enrollments.filter((enrollment) => enrollment.courseId === courseId);
  return ofCourse.find(isOpen) ?? ofCourse[0];
}

export function earlierWords({ status, reason }: Pick<Enrollment, 'status' | 'reason'>): string {
  if (status === 'withdrawn') return 'Your earlier enrollment was withdrawn. You may request the course again.';
  const why = reason ? ` (“${reason.trim().replace(/\.$/, '')}”)` : '';
  return `Your earlier request was declined${why}. You may request the course again.`;
}
