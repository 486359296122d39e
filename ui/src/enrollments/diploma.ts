// How far a student has come: credits toward the diploma, and the grade that comes next.
import type { Enrollment, Grade, Student } from '../api-types.ts';
import { grades } from '../courses/grades.ts';
import { code_characters } from './earlier.ts';

/** The Ontario Secondary School Diploma asks for 30 credits. */
export const diploma_credits = 30;

const sum = (credits: Iterable<number>) => [...credits].reduce((total, one) => total + one, 0);

const known = (number: number): Grade | null => grades.find((grade) => grade === number) ?? null;

/** Credits earned here, and those of courses that run; a course that was taken twice counts once. */
export function creditsOf(enrollments: readonly Enrollment[]): { earned: number; underWay: number } {
  const earned = new Map<string, number>();
  for (const { course, earnedCredits } of enrollments) {
    const code = course.code.slice(0, code_characters);
    earned.set(code, Math.max(earned.get(code) ?? 0, earnedCredits ?? 0));
  }
  const running = new Map<string, number>();
  for (const { course, status } of enrollments) {
    const code = course.code.slice(0, code_characters);
    if (status === 'active' && !earned.get(code)) running.set(code, Number(course.credits));
  }
  return { earned: sum(earned.values()), underWay: sum(running.values()) };
}

/**
 * The grade whose courses a student most likely looks for: that of the courses they have asked for, else
 * the one after the last that they completed elsewhere; null when nothing says.
 */
export function likelyGrade(student: Pick<Student, 'lastGradeCompleted'>, enrollments: readonly Enrollment[]): Grade | null {
  const current = enrollments.filter(({ status }) => status === 'active' || status === 'pending' || status === 'waitlisted');
  if (current.length > 0) return known(Math.max(...current.map(({ course }) => course.grade)));
  const last = Number(/\d+/.exec(student.lastGradeCompleted ?? '')?.[0] ?? Number.NaN);
  const done = enrollments.filter(({ status }) => status === 'completed').map(({ course }) => course.grade);
  if (done.length > 0) return known(Math.max(...done, Math.min(12, last + 1) || 0));
  return last >= 7 && last <= 12 ? known(Math.max(9, Math.min(12, last + 1))) : null;
}
