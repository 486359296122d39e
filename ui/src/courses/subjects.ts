// The subjects of the catalogue. Which one a course is in, the server says by the course's code.
import type { Course, Subject } from '../api-types.ts';
import { readWord, wordsOf } from '../closedSets.ts';

/** In the order in which they are listed. */
const order = {
  English: 0, 'English as a Second Language': 0, Mathematics: 0, Science: 0, 'Canadian and World Studies': 0, French: 0, Languages: 0,
  'Business Studies': 0, 'Computer Studies': 0, 'Technological Education': 0, 'Social Sciences and Humanities': 0,
  'First Nations, Métis and Inuit Studies': 0, 'The Arts': 0, 'Health and Physical Education': 0, 'Guidance and Careers': 0, 'Other Courses': 0,
} satisfies Record<Subject, 0>;

const subjects = wordsOf(order);

export const readSubject = (text: string | null): Subject | null => readWord(order, text) || null;

export type InSubject<C = Course> = { subject: Subject; courses: C[] };

/** The courses of each subject that has any, in the order of the subjects. */
export function bySubject<C extends Pick<Course, 'subject'>>(courses: readonly C[]): InSubject<C>[] {
  return subjects
    .map((subject) => ({ subject, courses: courses.filter((course) => course.subject === subject) }))
    .filter(({ courses: some }) => some.length > 0);
}

/** Its anchor on the page of the catalogue; `src/courses/subjects.rs` makes the same. */
export function anchorOf(subject: string): string {
  return subject.replace(/[^a-z0-9]+/gi, '-').toLowerCase();
}
