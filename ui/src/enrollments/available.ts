// Filtering of the available courses.
import type { Course, CourseType, Grade, Subject } from '../api-types.ts';
import { filterCourses } from '../courses/catalogue.ts';
import { courseTypes } from '../courses/courseTypes.ts';
import { grades } from '../courses/grades.ts';
import { bySubject, type SubjectCourses } from '../courses/subjects.ts';
import type { AvailableView } from './useAvailableView.ts';

/** A search without a selected grade covers all grades. */
export function gradeInView({ grade, q }: AvailableView, likely: Grade | null): Grade | null {
  if (grade !== undefined) return grade;
  return q.trim() === '' ? likely : null;
}

export type AvailableCourses = {
  groups: { grade: Grade; subjects: SubjectCourses[] }[];
  count: number;
  /** Filter options for this grade and search, with counts. */
  subjects: { subject: Subject; count: number }[];
  levels: { level: CourseType; count: number }[];
};

export function filterAvailable(courses: readonly Course[], view: AvailableView, grade: Grade | null): AvailableCourses {
  const found = grades.filter((one) => grade === null || one === grade).flatMap((one) => filterCourses(courses, one, view.q));
  const isOfLevel = ({ courseType }: Course) => !view.level || courseType === view.level;
  const isOfSubject = ({ subject }: Course) => !view.subject || subject === view.subject;
  const shown = found.filter((course) => isOfLevel(course) && isOfSubject(course));
  return {
    groups: grades
      .map((one) => ({ grade: one, subjects: bySubject(shown.filter((course) => course.grade === one)) }))
      .filter(({ subjects }) => subjects.length > 0),
    count: shown.length,
    subjects: bySubject(found.filter(isOfLevel)).map(({ subject, courses: some }) => ({ subject, count: some.length })),
    levels: courseTypes
      .map((level) => ({ level, count: found.filter((course) => course.courseType === level && isOfSubject(course)).length }))
      .filter(({ count }) => count > 0),
  };
}
