// One grade of the catalogue by subject, filtered by words and level. Mirrors `src/website/listing.rs`, which fills
// the prerendered page.
import type { Course, CourseLevel, CourseType } from '../api-types.ts';
import { isTemplate } from '../template.tsx';
import { filterCourses } from './catalogue.ts';
import { courseTypes, letters } from './courseTypes.ts';
import { grades } from './grades.ts';
import { anchorOf, bySubject } from './subjects.ts';
import { type CatalogueView, hrefOf } from './useCatalogueView.ts';

/** `level` is null for all levels. */
export type LevelOption = { level: CourseType | null; letter: CourseLevel | ''; name: string; count: number; href: string; isChosen: boolean };

export type Listing = {
  subjects: { name: string; anchor: string; courses: Course[] }[];
  /** Available filters; empty if there is no choice. */
  levels: LevelOption[];
  /** All courses of the grade. */
  total: number;
  count: string;
};

export function listingOf(courses: readonly Course[], view: CatalogueView): Listing {
  if (isTemplate) return template(courses);
  const shown = narrowed(courses, view);
  const total = filterCourses(courses, view.grade, '').length;
  return {
    subjects: bySubject(shown).map(({ subject, courses: some }) => ({ name: subject, anchor: anchorOf(subject), courses: some })),
    levels: levelsOf(filterCourses(courses, view.grade, view.filter), view),
    total,
    count: countText(shown.length, total),
  };
}

/** Matches per grade, in order; null without a filter. */
export function foundIn(courses: readonly Course[], view: CatalogueView): number[] | null {
  if (isTemplate) return grades.map((_, index) => `{{ found[${index}] }}` as never);
  return view.level || view.filter.trim() ? grades.map((grade) => narrowed(courses, { ...view, grade }).length) : null;
}

function narrowed(courses: readonly Course[], { grade, level, filter }: CatalogueView): Course[] {
  return filterCourses(courses, grade, filter).filter(({ courseType }) => !level || courseType === level);
}

function levelsOf(courses: readonly Course[], view: CatalogueView): LevelOption[] {
  const option = (level: CourseType | null): LevelOption => ({
    level,
    letter: level ? letters[level][0] : '',
    name: level ?? 'All levels',
    count: level ? courses.filter(({ courseType }) => courseType === level).length : courses.length,
    href: hrefOf({ ...view, level }),
    isChosen: view.level === level,
  });
  const some = courseTypes.map(option).filter(({ count, isChosen }) => count > 0 || isChosen);
  return some.length < 2 && !view.level ? [] : [option(null), ...some];
}

function countText(shown: number, total: number): string {
  if (shown !== total) return `${shown} of ${total} courses`;
  return total === 1 ? '1 course' : `${total} courses`;
}

const template = (courses: readonly Course[]): Listing => ({
  subjects: [{ name: '{{ subject.name }}', anchor: '{{ subject.anchor }}', courses: [...courses] }],
  levels: [{ level: null, letter: '{{ level.letter }}' as never, name: '{{ level.name }}', count: '{{ level.count }}' as never, href: '{{ level.href }}', isChosen: '{{ level.isChosen }}' as never }],
  total: 1,
  count: '{{ count }}',
});
