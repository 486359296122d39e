// The subjects of the catalogue, as a course code's first letters name them in Ontario. A code of the
// school's own belongs to none, and stands with the others.
import type { Course } from '../api-types.ts';

/** In the order in which they are listed; the first that fits a code is its subject. */
const subjects = [
  { key: 'english', name: 'English', starts: ['ENG', 'ENL', 'ELS', 'EMS', 'ETC', 'ETS', 'EWC', 'EBT', 'EPS', 'OLC'] },
  { key: 'esl', name: 'English as a Second Language', starts: ['ESL', 'ELD'] },
  { key: 'mathematics', name: 'Mathematics', starts: ['M'] },
  { key: 'science', name: 'Science', starts: ['S'] },
  { key: 'canada-world', name: 'Canadian and World Studies', starts: ['C'] },
  { key: 'french', name: 'French', starts: ['F'] },
  { key: 'languages', name: 'Languages', starts: ['L'] },
  { key: 'business', name: 'Business Studies', starts: ['B'] },
  { key: 'computers', name: 'Computer Studies', starts: ['I'] },
  { key: 'technology', name: 'Technological Education', starts: ['T'] },
  { key: 'humanities', name: 'Social Sciences and Humanities', starts: ['H'] },
  { key: 'first-nations', name: 'First Nations, Métis and Inuit Studies', starts: ['N'] },
  { key: 'arts', name: 'The Arts', starts: ['A'] },
  { key: 'health', name: 'Health and Physical Education', starts: ['P'] },
  { key: 'guidance', name: 'Guidance and Careers', starts: ['G'] },
] as const;

const other = { key: 'other', name: 'Other Courses' } as const;

export type Subject = { key: (typeof subjects)[number]['key'] | 'other'; name: string };

const all: readonly Subject[] = [...subjects, other];

/** Three letters and a grade: what is shorter or otherwise is the school's own. */
const grammar = /^[A-Z]{3}[1-4A-E][A-Z]/;

export function subjectOf({ code }: Pick<Course, 'code'>): Subject {
  return (grammar.test(code) && subjects.find(({ starts }) => starts.some((start) => code.startsWith(start)))) || other;
}

export function readSubject(key: string | null): Subject['key'] | null {
  return all.find((subject) => subject.key === key)?.key ?? null;
}

/** The courses of each subject that has any, in the order of the subjects. */
export function bySubject<C extends Pick<Course, 'code'>>(courses: readonly C[]): { subject: Subject; courses: C[] }[] {
  return all
    .map((subject) => ({ subject, courses: courses.filter((course) => subjectOf(course).key === subject.key) }))
    .filter(({ courses: some }) => some.length > 0);
}
