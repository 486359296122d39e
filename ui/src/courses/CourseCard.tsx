// One course that leads to its page: a row among those of its grade, a card beside those of others.
import { Link } from 'react-router';
import type { Course } from '../api-types.ts';
import { paths } from '../paths.ts';
import { When } from '../template.tsx';
import { prerequisiteText, titleText } from './catalogue.ts';
import { LevelLetter } from './Level.tsx';
import './CourseCard.css';
import './CourseDoor.css';

type CourseCardProps = {
  course: Course;
  /** Set beside courses of other grades, some of which have the same name. */
  isAmongGrades?: boolean;
};

export function CourseCard({ course, isAmongGrades = false }: CourseCardProps) {
  const Heading = isAmongGrades ? 'h3' : 'h4';
  return (
    <li className={isAmongGrades ? 'card stack offer' : 'offer offer-row'}>
      <div className="offer-head">
        <LevelLetter letter={course.level} />
        <p className="cluster offer-code">
          <span>{`${course.code} · ${course.courseType}`}</span>
          <When is={course.isCompulsory} template="course.isCompulsory"><span className="badge">Compulsory</span></When>
          <When is={course.credits === 0.5} template="course.credits == 0.5"><span className="badge">Half credit</span></When>
        </p>
        <Heading className="serif"><Link className="offer-door" to={paths.course(course.code)}>{isAmongGrades ? titleText(course) : course.name}</Link></Heading>
      </div>
      <p className="clamp fine-print offer-about">{course.description}</p>
      <p className="fine-print offer-needs">Prerequisite: <strong>{prerequisiteText(course)}</strong></p>
    </li>
  );
}
