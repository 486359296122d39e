// The catalogue's view, kept in the address.
import type { CourseType, Grade } from '../api-types.ts';
import { readWord } from '../closedSets.ts';
import { typing_pause_ms, useUrlView } from '../components/useUrlView.ts';
import { paths } from '../paths.ts';
import { isTemplate } from '../template.tsx';
import { letters } from './courseTypes.ts';
import { defaultGrade, readGrade } from './grades.ts';

/** In characters, as in `src/website/pages.rs`. */
const max_words = 200;

export type CatalogueView = { grade: Grade; level: CourseType | null; filter: string };

export function useCatalogueView() {
  const [view, show] = useUrlView<CatalogueView>({ read, write });
  return {
    view,
    showGrade: (grade: Grade, isKey: boolean) => show({ ...view, grade }, isKey ? typing_pause_ms : 0),
    showLevel: (level: CourseType | null) => show({ ...view, level }),
    showFilter: (filter: string) => show({ ...view, filter }, typing_pause_ms),
    showAll: () => show({ ...view, level: null, filter: '' }),
  };
}

/** The address of a view. */
export function hrefOf(view: CatalogueView): string {
  if (isTemplate) return `${paths.courses(view.grade)}{{ rest }}`;
  return `${paths.courses()}?${new URLSearchParams(write(view))}`;
}

function read(parameters: URLSearchParams): CatalogueView {
  return {
    grade: readGrade(parameters.get('grade')) ?? defaultGrade,
    level: isTemplate ? ('{{ level }}' as never) : readWord(letters, parameters.get('level')) || null,
    filter: isTemplate ? '{{ words }}' : [...(parameters.get('q') ?? '')].slice(0, max_words).join(''),
  };
}

function write({ grade, level, filter }: CatalogueView): Record<string, string> {
  return { grade: String(grade), ...(level && { level }), ...(filter.trim() && { q: filter.trim() }) };
}
