// The view of the student list in the address: reading, role limits and changes.
import { useUser } from '../accounts/signedIn.ts';
import type { StudentFlag } from '../api-types.ts';
import { typing_pause_ms, useUrlView } from '../components/useUrlView.ts';
import { grades } from '../courses/grades.ts';
import type { Duty } from '../pages.ts';
import { readFlags } from './flags.ts';
import { readSortKey, type StudentSort, type StudentsView, writeStudentsView } from './studentsView.ts';

export function useStudentsView() {
  const [asked, show] = useUrlView<StudentsView>({ read: readStudentsView, write: writeStudentsView });
  const view = viewFor(useUser().duties, asked);
  return {
    view,
    search: (q: string) => show({ ...view, q, page: 1 }, typing_pause_ms),
    toggle: (flag: StudentFlag) =>
      show({ ...view, flags: view.flags.includes(flag) ? view.flags.filter((one) => one !== flag) : [...view.flags, flag], page: 1 }),
    filter: (change: Partial<Pick<StudentsView, 'course' | 'grade'>>) => show({ ...view, ...change, page: 1 }),
    sortBy: (sort: StudentSort) => show({ ...view, sort, page: 1 }),
    turnTo: (page: number) => show({ ...view, page }),
  };
}

export function readStudentsView(parameters: URLSearchParams): StudentsView {
  const page = Number(parameters.get('page'));
  const sort = parameters.get('sort') ?? '';
  const key = readSortKey(sort);
  return {
    q: parameters.get('q') ?? '',
    flags: readFlags(parameters.get('flags')),
    course: parameters.get('course') ?? '',
    grade: grades.map(String).find((grade) => grade === parameters.get('grade')) ?? '',
    sort: key ? (sort as StudentSort) : 'name',
    page: Number.isInteger(page) && page > 0 ? page : 1,
  };
}

/** Limits a view to a role: without access to balances there is no sorting by them. */
export function viewFor(duties: readonly Duty[], view: StudentsView): StudentsView {
  return view.sort.endsWith('balance') && !duties.includes('balances') ? { ...view, sort: 'name' } : view;
}
