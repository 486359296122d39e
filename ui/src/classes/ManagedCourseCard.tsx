// A course card in the office's grid (section 2), with its actions.
import { Link } from 'react-router';
import type { CourseRow } from '../api-types.ts';
import { moneyText } from '../money.ts';
import { officePaths } from '../officePaths.ts';
import { CourseActions, type CourseActs } from './CourseActions.tsx';
import { seatsText } from './seats.ts';
import '../courses/CourseCard.css';

export function ManagedCourseCard({ course, acts }: { course: CourseRow; acts: CourseActs }) {
  return (
    <li className="card brass-edge stack managed-course">
      <div>
        <p className="cluster course-code">{course.code}</p>
        {acts && <CourseActions course={course} acts={acts} />}
      </div>
      <h3 dir="auto"><Link to={officePaths.course(course.id)}>{course.name}</Link></h3>
      <p className="muted clamp" dir="auto">{course.description}</p>
      <CourseFacts course={course} />
    </li>
  );
}

function CourseFacts({ course }: { course: CourseRow }) {
  return (
    <dl className="grid">
      <div><dt>Grade</dt><dd>{course.grade}</dd></div>
      <div><dt>Type</dt><dd>{course.courseType}</dd></div>
      <div><dt>Compulsory</dt><dd>{course.isCompulsory ? 'Yes' : 'No'}</dd></div>
      <div><dt>Price</dt><dd>{moneyText(course.price, 'Not set')}</dd></div>
      <div><dt>Peak seats</dt><dd>{seatsText(course)}</dd></div>
      <div><dt>Requests</dt><dd>{course.isOpen ? 'Accepted' : 'Closed'}</dd></div>
      <div><dt>Prerequisite</dt><dd dir="auto">{course.prerequisite || 'None'}</dd></div>
    </dl>
  );
}
