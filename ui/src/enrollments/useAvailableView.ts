// Which of the available courses are shown, and the address that says so.
import type { Grade } from '../api-types.ts';
import { typing_pause_ms, useUrlView } from '../components/useUrlView.ts';
import { readGrade } from '../courses/grades.ts';

/** No grade means all of them. */
export type AvailableView = { grade: Grade | null; q: string };

export function useAvailableView() {
  const [view, show] = useUrlView<AvailableView>({ read, write });
  return { view, choose: (change: Partial<AvailableView>) => show({ ...view, ...change }, typing_pause_ms) };
}

function read(parameters: URLSearchParams): AvailableView {
  return { grade: readGrade(parameters.get('grade')), q: parameters.get('q') ?? '' };
}

function write({ grade, q }: AvailableView): Record<string, string> {
  return { ...(grade && { grade: String(grade) }), ...(q.trim() && { q: q.trim() }) };
}
