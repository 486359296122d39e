// A student's likely next grade.
import type { Enrollment, Grade, Student } from '../api-types.ts';
import { grades } from '../courses/grades.ts';

const known = (number: number): Grade | null => grades.find((grade) => grade === number) ?? null;

/**
 * The grade a student most likely looks for: that of their requested courses, else the one after the last grade
 * completed elsewhere; null if unknown.
 */
export function likelyGrade(student: Pick<Student, 'lastGradeCompleted'>, enrollments: readonly Enrollment[]): Grade | null {
  const current = enrollments.filter(({ status }) => status === 'active' || status === 'pending' || status === 'waitlisted');
  if (current.length > 0) return known(Math.max(...current.map(({ course }) => course.grade)));
  const last = Number(/\d+/.exec(student.lastGradeCompleted ?? '')?.[0] ?? Number.NaN);
  const done = enrollments.filter(({ status }) => status === 'completed').map(({ course }) => course.grade);
  if (done.length > 0) return known(Math.max(...done, Math.min(12, last + 1) || 0));
  return last >= 7 && last <= 12 ? known(Math.max(9, Math.min(12, last + 1))) : null;
}
