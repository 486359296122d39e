// Which courses the office looks at: a search and a grade, both in the address.
import type { Course, Grade } from '../api-types.ts';
import { typing_pause_ms, useUrlView } from '../components/useUrlView.ts';
import { filterCourses } from './catalogue.ts';
import { grades, readGrade } from './grades.ts';

export type ManagedView = { q: string; grade: Grade | null };

export const everything: ManagedView = { q: '', grade: null };

export function useManagedView() {
  const [view, show] = useUrlView<ManagedView>({ read, write });
  return {
    view,
    search: (q: string) => show({ ...view, q }, typing_pause_ms),
    showGrade: (grade: Grade | null) => show({ ...view, grade }),
    showEverything: () => show(everything),
    /** Gives up of the view what hides this course. */
    showCourse: ({ grade }: Course) => show({ q: '', grade: view.grade === grade ? grade : null }),
  };
}

/** The courses of a view, by grade as the server lists them. */
export function coursesInView(courses: readonly Course[], { q, grade }: ManagedView): Course[] {
  const wanted = grade ? [grade] : grades;
  return wanted.flatMap((one) => filterCourses(courses, one, q));
}

function read(parameters: URLSearchParams): ManagedView {
  return { q: parameters.get('q') ?? '', grade: readGrade(parameters.get('grade')) };
}

function write({ q, grade }: ManagedView): Record<string, string> {
  return { ...(q.trim() && { q: q.trim() }), ...(grade && { grade: String(grade) }) };
}
