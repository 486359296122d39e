// The subjects of the catalogue. The server derives a course's subject from its code.
import type { Course, Subject } from '../api-types.ts';
import { readWord, wordsOf } from '../closedSets.ts';

/** In display order. */
const order = {
  English: 0, 'English as a Second Language': 0, Mathematics: 0, Science: 0, 'Canadian and World Studies': 0, French: 0, Languages: 0,
  'Business Studies': 0, 'Computer Studies': 0, 'Technological Education': 0, 'Social Sciences and Humanities': 0,
  'First Nations, Métis and Inuit Studies': 0, 'The Arts': 0, 'Health and Physical Education': 0, 'Guidance and Careers': 0, 'Other Courses': 0,
} satisfies Record<Subject, 0>;

const subjects = wordsOf(order);

export const readSubject = (text: string | null): Subject | null => readWord(order, text) || null;

export type SubjectCourses<C = Course> = { subject: Subject; courses: C[] };

/** Courses grouped by subject, in display order. */
export function bySubject<C extends Pick<Course, 'subject'>>(courses: readonly C[]): SubjectCourses<C>[] {
  return subjects
    .map((subject) => ({ subject, courses: courses.filter((course) => course.subject === subject) }))
    .filter(({ courses: some }) => some.length > 0);
}

/** The subject's anchor on the catalogue page, as in `src/courses/subjects.rs`. */
export function anchorOf(subject: string): string {
  return subject.replace(/[^a-z0-9]+/gi, '-').toLowerCase();
}
