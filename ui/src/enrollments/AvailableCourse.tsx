// A course that a student may request, and what became of an earlier request for it.
import { Link } from 'react-router';
import type { Course, Enrollment } from '../api-types.ts';
import { StatusBadge } from '../components/StatusBadge.tsx';
import { levelText, prerequisiteText } from '../courses/catalogue.ts';
import { moneyText } from '../money.ts';
import { paths } from '../paths.ts';
import { earlierWords, isOpen } from './earlier.ts';
import { creditsText } from './words.ts';
import '../courses/CourseCard.css';

type AvailableCourseProps = { course: Course; earlier: Enrollment | undefined; onEnroll: () => void };

/** The id of a course's heading, which takes the focus once the course was requested. */
export const courseTitleId = (id: number) => `available-${id}`;

export function AvailableCourse({ course, earlier, onEnroll }: AvailableCourseProps) {
  const titleId = courseTitleId(course.id);
  return (
    <li className="card brass-edge stack course">
      <p className="cluster course-code">
        {course.code} · {levelText(course)}
        {earlier && <StatusBadge status={earlier.status} />}
      </p>
      <h3 id={titleId} tabIndex={-1} dir="auto">{course.name}</h3>
      <p dir="auto">{course.description}</p>
      <dl>
        <div><dt>Price</dt><dd>{moneyText(course.price, 'Ask the office')}</dd></div>
        <div><dt>Credits</dt><dd>{creditsText(course.credits)}</dd></div>
        <div><dt>Prerequisite</dt><dd>{prerequisiteText(course)}</dd></div>
      </dl>
      {earlier && !isOpen(earlier) && <p className="course-earlier">{earlierWords(earlier)}</p>}
      {earlier && isOpen(earlier) && earlier.course.code !== course.code && (
        <p className="course-earlier">You have {earlier.course.code}, which is the same course.</p>
      )}
      {earlier && isOpen(earlier) ? (
        <>
          <button type="button" className="button button-quiet button-wide" disabled aria-describedby={titleId}>
            Already Enrolled
          </button>
          <p className="course-more"><Link to={paths.studentDashboard('courses')}>See My Courses</Link></p>
        </>
      ) : (
        <button type="button" className="button button-primary button-wide" aria-describedby={titleId} onClick={onEnroll}>
          Enroll Now
        </button>
      )}
    </li>
  );
}
