// The key facts of a course, and how to enroll.
import { Link } from 'react-router';
import type { CourseDetails } from '../api-types.ts';
import { paths } from '../paths.ts';
import { useSchool } from '../school/queries.ts';
import { When } from '../template.tsx';
import { LevelLetter } from './Level.tsx';

export function CourseFacts({ course }: { course: CourseDetails }) {
  const { semesters: [next], showFees } = useSchool();
  const { code, grade, level, levelName, credits, hours, isCompulsory, isOpen, priceText } = course;
  return (
    <aside className="card brass-edge course-facts" aria-label="At a glance">
      <p className="cluster serif course-level"><LevelLetter letter={level} /><span>{` ${levelName}`}</span></p>
      <dl className="pairs">
        <div><dt>Grade</dt><dd>{grade}</dd></div>
        <div><dt>Credits</dt><dd><span>{`${credits} `}</span><small>{`${hours} hours of instruction`}</small></dd></div>
        <div>
          <dt>Diploma</dt>
          <dd><When is={isCompulsory} template="course.isCompulsory" otherwise={<span>Counts toward the 30 credits</span>}><span>Counts toward a compulsory credit</span></When></dd>
        </div>
        <div>
          <dt>Semesters</dt>
          <dd>
            <span>Fall, Winter, Spring</span>
            <small>
              <When is={next} template="school.semesters" otherwise={<span>Catch-up support for late starts</span>}>
                <span>{`${next?.name ?? ''} ${next?.whenText ?? ''}; catch-up support for late starts`}</span>
              </When>
            </small>
          </dd>
        </div>
        <div>
          <dt>Fee</dt>
          <dd>
            <When
              is={showFees}
              template="school.showFees"
              otherwise={<Link to={paths.contact('courses')}>Fees differ by delivery: ask the school</Link>}
            >
              <>
                <When is={priceText} template="course.priceText" otherwise={<span>On request</span>}><span>{priceText ?? ''}</span></When>
                <small>Differs by delivery: <Link to={paths.contact('courses')}>ask the school</Link></small>
              </>
            </When>
          </dd>
        </div>
      </dl>
      <When is={isOpen} template="course.isOpen" otherwise={<p><strong>This course isn’t accepting requests right now.</strong></p>}>
        <Link className="button button-primary button-wide" to={paths.studentCoursesOf(code)}>Enroll in This Course</Link>
      </When>
      <p className="fine-print">
        You need a student account, your details and documents such as your transcript. New here? <Link to={paths.apply}>Apply Now</Link>
      </p>
      <button type="button" className="button button-quiet screen-only" onClick={() => window.print()}>Print</button>
    </aside>
  );
}
