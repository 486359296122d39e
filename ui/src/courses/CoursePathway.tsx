// The prerequisites of a course, and the courses that it leads to.
import type { CourseDetails } from '../api-types.ts';
import { Link } from 'react-router';
import { paths } from '../paths.ts';
import { Each, When } from '../template.tsx';
import { CourseLine, CourseLinks } from './CourseLinks.tsx';

type CourseProps = { course: CourseDetails };

export function CourseEntry({ course: { code, prerequisites, usualWay } }: CourseProps) {
  return (
    <section aria-labelledby="before">
      <h2 id="before">Before This Course</h2>
      <p>{prerequisites.words}</p>
      <When is={prerequisites.items.length > 0} template="course.prerequisites.items">
        <ul className="course-links">
          <Each of={prerequisites.items} template="item in course.prerequisites.items">
            {(item) => (
              <li key={item.code}>
                <When is={item.course} template="item.course" otherwise={<p className="course-elsewhere"><strong>{item.code}</strong><small>{item.note}</small></p>}>
                  {item.course && <CourseLine course={item.course} note={<When is={item.note} template="item.note"><span>{` · ${item.note ?? ''}`}</span></When>} />}
                </When>
              </li>
            )}
          </Each>
        </ul>
        <p className="fine-print">
          A credit from another Ontario school counts, and the office looks at transcripts from elsewhere. The
          principal may waive a prerequisite: ask if you are not sure.
        </p>
      </When>
      <When is={usualWay.length > 1} template="course.usualWay[1]">
        <p id="usual-way">The usual path here:</p>
        <ol className="cluster course-way" aria-labelledby="usual-way">
          <Each of={usualWay} template="step in course.usualWay">
            {(step) => <li key={step.code}><Link to={paths.course(step.code)}>{step.code}</Link></li>}
          </Each>
          <li aria-current="page">{code}</li>
        </ol>
      </When>
    </section>
  );
}

export function LeadsTo({ course: { leadsTo } }: CourseProps) {
  return (
    <section aria-labelledby="after">
      <h2 id="after">Where It Leads</h2>
      <CourseLinks
        courses={leadsTo}
        template="link in course.leadsTo"
        otherwise={<p>No course in the catalogue requires this one by name; some accept any course in a subject. Its credit counts toward the diploma.</p>}
      >
        <p>These courses require this one:</p>
      </CourseLinks>
    </section>
  );
}
