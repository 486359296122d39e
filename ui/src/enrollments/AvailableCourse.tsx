// A course to request, with the state of an earlier request.
import { Link } from 'react-router';
import type { Course, Enrollment, PrerequisiteCheck } from '../api-types.ts';
import { StatusBadge } from '../components/StatusBadge.tsx';
import { levelText } from '../courses/catalogue.ts';
import { LevelLetter } from '../courses/Level.tsx';
import { moneyText } from '../money.ts';
import { paths } from '../paths.ts';
import { isOpen } from './requestRules.ts';
import { earlierWords } from './earlierEnrollments.ts';
import { Prerequisite } from './Prerequisite.tsx';
import { creditsText } from './words.ts';

type AvailableCourseProps = {
  course: Course;
  catalogue: readonly Course[];
  check: PrerequisiteCheck | undefined;
  earlier: Enrollment | undefined;
  onEnroll: () => void;
};

/** Id of a course's heading, which takes the focus after a request. */
export const courseTitleId = (id: number) => `available-${id}`;

export function AvailableCourse({ course, catalogue, check, earlier, onEnroll }: AvailableCourseProps) {
  const titleId = courseTitleId(course.id);
  return (
    <li className="card stack offer">
      <div className="offer-head">
        <LevelLetter letter={course.level} />
        <p className="cluster offer-code">
          <span>{`${course.code} · ${levelText(course)}`}</span>
          {earlier && <StatusBadge status={earlier.status} />}
        </p>
        <h4 className="serif" id={titleId} tabIndex={-1} dir="auto"><Link to={paths.course(course.code)}>{course.name}</Link></h4>
      </div>
      <p className="clamp fine-print offer-about" dir="auto">{course.description}</p>
      <dl className="cluster offer-facts">
        <div><dt>Price</dt><dd>{moneyText(course.price, 'Ask the office')}</dd></div>
        <div><dt>Credits</dt><dd>{creditsText(course.credits)}</dd></div>
        <div><dt>Prerequisite</dt><dd><Prerequisite course={course} catalogue={catalogue} check={check} /></dd></div>
      </dl>
      {earlier && !isOpen(earlier) && <p className="fine-print offer-earlier">{earlierWords(earlier)}</p>}
      {earlier && isOpen(earlier) && earlier.course.code !== course.code && (
        <p className="fine-print offer-earlier">{`You have ${earlier.course.code}, which is the same course.`}</p>
      )}
      <p className="cluster offer-action"><Action course={course} earlier={earlier} titleId={titleId} onEnroll={onEnroll} /></p>
    </li>
  );
}

type ActionProps = Pick<AvailableCourseProps, 'course' | 'earlier' | 'onEnroll'> & { titleId: string };

function Action({ course, earlier, titleId, onEnroll }: ActionProps) {
  if (earlier && isOpen(earlier)) {
    return (
      <>
        <button type="button" className="button button-quiet" disabled aria-describedby={titleId}>Already Enrolled</button>
        <Link to={paths.studentDashboard('courses')}>See My Courses</Link>
      </>
    );
  }
  if (course.isOpen === false) return <span className="muted">Closed: this course isn’t accepting requests right now.</span>;
  return <button type="button" className="button button-outline" aria-describedby={titleId} onClick={onEnroll}>{earlier?.status === 'completed' ? 'Repeat This Course' : 'Enroll Now'}</button>;
}
