// The office's course view: search, grade, order and layout, kept in the address.
import type { Grade, OfficeCourse } from '../api-types.ts';
import { typing_pause_ms, useUrlView } from '../components/useUrlView.ts';
import { filterCourses } from '../courses/catalogue.ts';
import { grades, readGrade } from '../courses/grades.ts';
import { readSort, type Sort, sortText } from './courseOrder.ts';

/** Table, cards or archived courses. */
export const courseLooks = ['table', 'cards', 'archived'] as const;
export type CourseLook = (typeof courseLooks)[number];

export type ManagedView = { q: string; grade: Grade | null; look: CourseLook; sort: Sort };

export function useManagedView() {
  const [view, show] = useUrlView<ManagedView>({ read, write });
  return {
    view,
    search: (q: string) => show({ ...view, q }, typing_pause_ms),
    showGrade: (grade: Grade | null) => show({ ...view, grade }),
    showLook: (look: CourseLook) => show({ ...view, look }),
    sortBy: (sort: Sort) => show({ ...view, sort }),
    showEverything: () => show({ ...view, q: '', grade: null }),
    /** Clears the filters that hide this course. */
    showCourse: ({ grade }: OfficeCourse) =>
      show({ ...view, q: '', grade: view.grade === grade ? grade : null, look: view.look === 'cards' ? 'cards' : 'table' }),
  };
}

/** The courses of a view. */
export function coursesInView<C extends OfficeCourse>(courses: readonly C[], { q, grade }: Pick<ManagedView, 'q' | 'grade'>): C[] {
  const wanted = grade ? [grade] : grades;
  return wanted.flatMap((one) => filterCourses(courses, one, q));
}

function read(parameters: URLSearchParams): ManagedView {
  return {
    q: parameters.get('q') ?? '',
    grade: readGrade(parameters.get('grade')),
    look: courseLooks.find((look) => look === parameters.get('view')) ?? 'table',
    sort: readSort(parameters.get('sort')),
  };
}

function write({ q, grade, look, sort }: ManagedView): Record<string, string> {
  const order = sortText(sort);
  return {
    ...(look !== 'table' && { view: look }),
    ...(q.trim() && { q: q.trim() }),
    ...(grade && { grade: String(grade) }),
    ...(order && { sort: order }),
  };
}
