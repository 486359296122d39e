// Which grade and filter the catalogue shows, and the address that says so.
import type { Grade } from '../api-types.ts';
import { typing_pause_ms, useUrlView } from '../components/useUrlView.ts';
import { isTemplate } from '../template.tsx';
import { defaultGrade, readGrade } from './grades.ts';

export type CatalogueView = { grade: Grade; filter: string };

export function useCatalogueView() {
  const [view, show] = useUrlView<CatalogueView>({ read, write });
  return {
    view,
    showGrade: (grade: Grade, isKey: boolean) => show({ ...view, grade }, isKey ? typing_pause_ms : 0),
    showFilter: (filter: string) => show({ ...view, filter }, typing_pause_ms),
  };
}

function read(parameters: URLSearchParams): CatalogueView {
  return { grade: readGrade(parameters.get('grade')) ?? defaultGrade, filter: isTemplate ? '{{ filter }}' : parameters.get('q') ?? '' };
}

function write({ grade, filter }: CatalogueView): Record<string, string> {
  return { grade: String(grade), ...(filter.trim() && { q: filter.trim() }) };
}
