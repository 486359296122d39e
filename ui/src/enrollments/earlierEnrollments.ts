// Earlier enrollments in a course, and what another request means.
import type { Course, Enrollment } from '../api-types.ts';
import { code_characters, isOpen } from './requestRules.ts';

const short = (code: string) => code.slice(0, code_characters);

/** The relevant enrollment in a course: the open one, else the completed one with the best mark, else the latest. The list is newest first. */
export function enrollmentIn(enrollments: readonly Enrollment[], { code }: Pick<Course, 'code'>): Enrollment | undefined {
  const ofCourse = enrollments.filter(({ course }) => short(course.code) === short(code));
  const best = ofCourse.find(({ status, betterAttempt }) => status === 'completed' && !betterAttempt);
  return ofCourse.find(isOpen) ?? best ?? ofCourse[0];
}

/** Note on repeating a completed course. */
export function repeatWords({ finalMark, earnedCredits }: Pick<Enrollment, 'finalMark' | 'earnedCredits'>): string {
  const mark = typeof finalMark === 'number' ? ` with ${finalMark}%` : '';
  const why = earnedCredits === 0 ? 'You may repeat it.' : 'You may repeat it for a better mark, which the office confirms.';
  return `You completed this course${mark}. ${why} It is a new enrollment with its own fee; the better mark earns the credit, once, and both stay on your record.`;
}

export function earlierWords(earlier: Pick<Enrollment, 'status' | 'reason' | 'finalMark' | 'earnedCredits'>): string {
  const { status, reason } = earlier;
  if (status === 'completed') return repeatWords(earlier);
  if (status === 'withdrawn') return 'Your earlier enrollment was withdrawn. You may request the course again.';
  const why = reason ? ` (“${reason.trim().replace(/\.$/, '')}”)` : '';
  return `Your earlier request was declined${why}. You may request the course again.`;
}
