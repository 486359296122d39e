// A list of links to course pages.
import { Link } from 'react-router';
import type { CourseLink } from '../api-types.ts';
import type { Elements } from '../components/elements.ts';
import { paths } from '../paths.ts';
import { Each, When } from '../template.tsx';
import { levelText } from './catalogue.ts';
import { LevelLetter } from './Level.tsx';
import './CourseDoor.css';

type CourseLinksProps = {
  courses: readonly CourseLink[];
  /** The template's loop expression, such as `link in course.leadsTo`. */
  template: string;
  /** Shown above the links, if there are any. */
  children?: Elements;
  otherwise?: Elements;
};

export function CourseLinks({ courses, template, children, otherwise }: CourseLinksProps) {
  return (
    <When is={courses.length > 0} template={template.slice(template.indexOf(' in ') + 4)} otherwise={otherwise}>
      {children}
      <ul className="course-links">
        <Each of={courses} template={template}>{(course) => <li key={course.code}><CourseLine course={course} /></li>}</Each>
      </ul>
    </When>
  );
}

/** `note` is a sentence about it. */
export function CourseLine({ course, note }: { course: CourseLink; note?: Elements }) {
  return (
    <div className="offer-head course-line">
      <LevelLetter letter={course.level} />
      <Link className="offer-door" to={paths.course(course.code)}>{course.name}</Link>
      <small><span>{`${course.code} · ${levelText(course)}`}</span>{note}</small>
    </div>
  );
}
