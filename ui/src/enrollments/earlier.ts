// Whether a course can be requested, given what became of earlier requests for it: one that came
// to nothing may be sent again (DESIGN, States).
import type { Course, Enrollment } from '../api-types.ts';

/** True while an enrollment stands in the way of another one in the same course. */
export function isOpen({ status }: Pick<Enrollment, 'status'>): boolean {
  return status !== 'declined' && status !== 'withdrawn';
}

/** True while nobody has approved it: it may be taken back, and is no running course. */
export function waits({ status }: Pick<Enrollment, 'status'>): boolean {
  return status === 'pending' || status === 'waitlisted';
}

/** A course is its code: the first five characters, whatever row of the catalogue has them. */
export const code_characters = 5;

/**
 * The enrollment that matters for a course: the one that counts, else the latest. The list comes newest
 * first. A course that was completed under another row may be taken again: that is what upgrade courses are.
 */
export function enrollmentIn(enrollments: readonly Enrollment[], { id, code }: Pick<Course, 'id' | 'code'>): Enrollment | undefined {
  const short = (text: string) => text.slice(0, code_characters);
  const ofCourse = enrollments.filter(
    ({ courseId, course, status }) => short(course.code) === short(code) && (courseId === id || status !== 'completed'),
  );
  return ofCourse.find(isOpen) ?? ofCourse[0];
}

export function earlierWords({ status, reason }: Pick<Enrollment, 'status' | 'reason'>): string {
  if (status === 'withdrawn') return 'Your earlier enrollment was withdrawn. You may request the course again.';
  const why = reason ? ` (“${reason.trim().replace(/\.$/, '')}”)` : '';
  return `Your earlier request was declined${why}. You may request the course again.`;
}
