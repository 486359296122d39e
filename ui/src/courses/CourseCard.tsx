// One course as a card, and its placeholder of the same height.
import type { Course } from '../api-types.ts';
import { When } from '../template.tsx';
import { levelText, prerequisiteText } from './catalogue.ts';
import './CourseCard.css';

/** `isAmongGrades`: beside courses of other grades, some of which have the same name. */
export function CourseCard({ course, isAmongGrades = false }: { course: Course; isAmongGrades?: boolean }) {
  return (
    <li className="card brass-edge stack course">
      <p className="cluster course-code">
        {isAmongGrades ? `${course.code} · ${levelText(course)}` : course.code}
        <When is={course.isCompulsory} template="course.isCompulsory"><span className="badge">Compulsory</span></When>
        <When is={course.credits === 0.5} template="course.credits == 0.5"><span className="badge">Half credit</span></When>
      </p>
      <h3>{course.name}</h3>
      <p>{course.description}</p>
      <dl>
        <div>
          <dt>Grade</dt>
          <dd>{course.grade}</dd>
        </div>
        <div>
          <dt>Type</dt>
          <dd>{course.courseType}</dd>
        </div>
        <div>
          <dt>Prerequisite</dt>
          <dd>{prerequisiteText(course)}</dd>
        </div>
      </dl>
    </li>
  );
}

/** Placeholders while the courses load: as many as section 9 asks for, in the cards' own grid. */
export function CourseSkeletons({ count }: { count: number }) {
  return (
    <ul className="grid cards" aria-label="Loading courses" aria-busy="true">
      {Array.from({ length: count }, (_, index) => (
        <li className="card brass-edge stack course skeleton" key={index}>
          <i /><i /><i /><i /><i />
        </li>
      ))}
    </ul>
  );
}
