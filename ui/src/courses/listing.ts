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

export type CourseGroup = { name: string; anchor: string; courses: Course[] };

export type Listing = {
  subjects: CourseGroup[];
  /** Matches in the other grades, by grade; empty if this one has any. */
  elsewhere: CourseGroup[];
  /** Available filters; empty if there is no choice. */
  levels: LevelOption[];
  /** All courses of the grade. */
  total: number;
  count: string;
  /** Matches per grade, in order; null without a filter. */
  found: number[] | null;
};

export function listingOf(courses: readonly Course[], view: CatalogueView): Listing {
  if (isTemplate) return template(courses);
  const byGrade = grades.map((grade) => groupOf(`Grade ${grade}`, narrowed(courses, { ...view, grade })));
  const shown = narrowed(courses, view);
  const total = filterCourses(courses, view.grade, '').length;
  return {
    subjects: bySubject(shown).map((each) => groupOf(each.subject, each.courses)),
    elsewhere: byGrade.filter((group) => shown.length === 0 && group.courses.length > 0),
    levels: levelsOf(filterCourses(courses, view.grade, view.filter), view),
    total,
    count: countText(shown.length, total),
    found: view.level || view.filter.trim() ? byGrade.map((group) => group.courses.length) : null,
  };
}

const groupOf = (name: string, courses: Course[]): CourseGroup => ({ name, anchor: anchorOf(name), courses });

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

const group = { name: '{{ group.name }}', anchor: '{{ group.anchor }}' };

const template = (courses: readonly Course[]): Listing => ({
  subjects: [{ ...group, courses: [...courses] }],
  elsewhere: [{ ...group, courses: [...courses] }],
  levels: [{ level: null, letter: '{{ level.letter }}' as never, name: '{{ level.name }}', count: '{{ level.count }}' as never, href: '{{ level.href }}', isChosen: '{{ level.isChosen }}' as never }],
  total: 1,
  count: '{{ count }}',
  found: grades.map((_, index) => `{{ found[${index}] }}` as never),
});
