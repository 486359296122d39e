// The view of the available courses, kept in the address.
import type { CourseType, Grade, Subject } from '../api-types.ts';
import { typing_pause_ms, useUrlView } from '../components/useUrlView.ts';
import { courseTypes } from '../courses/courseTypes.ts';
import { readGrade } from '../courses/grades.ts';
import { readSubject } from '../courses/subjects.ts';

export type AvailableView = {
  /** Null for all grades; undefined until one is selected, which shows the student's own. */
  grade: Grade | null | undefined;
  subject: Subject | null;
  level: CourseType | null;
  q: string;
};

export const allCourses: AvailableView = { grade: null, subject: null, level: null, q: '' };

export function useAvailableView() {
  const [view, show] = useUrlView<AvailableView>({ read, write });
  return { view, choose: (change: Partial<AvailableView>) => show({ ...view, ...change }, typing_pause_ms) };
}

function read(parameters: URLSearchParams): AvailableView {
  const grade = parameters.get('grade');
  return {
    grade: grade === 'all' ? null : (readGrade(grade) ?? undefined),
    subject: readSubject(parameters.get('subject')),
    level: courseTypes.find((type) => type === parameters.get('level')) ?? null,
    q: parameters.get('q') ?? '',
  };
}

function write({ grade, subject, level, q }: AvailableView): Record<string, string> {
  return {
    ...(grade !== undefined && { grade: String(grade ?? 'all') }),
    ...(subject && { subject }),
    ...(level && { level }),
    ...(q.trim() && { q: q.trim() }),
  };
}
