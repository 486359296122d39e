// The catalogue's rules: featured courses, filter matches and prerequisites on cards.
import type { Course, Grade } from '../api-types.ts';
import { isTemplate } from '../template.tsx';

/** Section 2: the first compulsory grade 9 and grade 10 courses, and ENG4U, as far as they exist. */
export function featuredCourses(courses: readonly Course[]): Course[] {
  const picks = [
    courses.find((course) => course.grade === 9 && course.isCompulsory),
    courses.find((course) => course.grade === 10 && course.isCompulsory),
    courses.find((course) => course.grade === 12 && course.code === 'ENG4U'),
  ];
  return picks.filter((course) => course !== undefined);
}

/** A grade's courses whose code or name contains every word of the filter, ignoring accents and case. */
export function filterCourses<C extends Course>(courses: readonly C[], grade: Grade, filter: string): C[] {
  if (isTemplate) return [...courses];
  const words = plain(filter.slice(0, 200)).split(/\s+/).filter(Boolean);
  return courses.filter((course) => {
    if (course.grade !== grade) return false;
    const text = plain(`${course.code} ${course.name}`);
    return words.every((word) => text.includes(word));
  });
}

/** "English, Grade 12": distinguishes courses of the same name in several grades. */
export function titleText({ name, grade }: Pick<Course, 'name' | 'grade'>): string {
  return `${name}, Grade ${grade}`;
}

/** "Grade 12, University": distinguishes courses of the same name. */
export function levelText({ grade, courseType }: Pick<Course, 'grade' | 'courseType'>): string {
  return `Grade ${grade}, ${courseType}`;
}

/** Entry rules that are no course code are in the description, which "None" would contradict. */
const entryRule = /\bentry (requires|expects|depends)\b/i;

export function prerequisiteText(course: Pick<Course, 'prerequisite' | 'description'>): string {
  if (course.prerequisite) return course.prerequisite;
  return entryRule.test(course.description) ? 'See description' : 'None';
}

function plain(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').replace(/['’‘ʼ`´‐‑–-]/g, '').toLowerCase();
}
