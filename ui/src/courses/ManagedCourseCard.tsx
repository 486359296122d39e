// One course in the office's grid (section 2), with what may be done to it.
import type { Course } from '../api-types.ts';
import { Icon } from '../components/Icon.tsx';
import { moneyText } from '../money.ts';
import './CourseCard.css';

type ManagedCourseCardProps = {
  course: Course;
  /** Absent for a role that may only read. */
  actions: { edit: (course: Course) => void; remove: (course: Course) => void } | null;
};

/** Where the focus lands after a course was saved. */
export function editButtonId(id: number): string {
  return `edit-course-${id}`;
}

export function ManagedCourseCard({ course, actions }: ManagedCourseCardProps) {
  const name = `${course.code}: ${course.name}`;

  return (
    <li className="card brass-edge stack course managed-course">
      <div>
        <p className="cluster course-code">{course.code}</p>
        {actions && (
          <>
            <button type="button" className="icon-button" id={editButtonId(course.id)} aria-label={`Edit ${name}`} onClick={() => actions.edit(course)}>
              <Icon name="pencil" />
            </button>
            <button type="button" className="icon-button" aria-label={`Delete ${name}`} onClick={() => actions.remove(course)}>
              <Icon name="trash" />
            </button>
          </>
        )}
      </div>
      <h3 dir="auto">{course.name}</h3>
      <p dir="auto">{course.description}</p>
      <CourseFacts course={course} />
    </li>
  );
}

function CourseFacts({ course }: { course: Course }) {
  return (
    <dl>
      <div><dt>Grade</dt><dd>{course.grade}</dd></div>
      <div><dt>Type</dt><dd>{course.courseType}</dd></div>
      <div><dt>Compulsory</dt><dd>{course.isCompulsory ? 'Yes' : 'No'}</dd></div>
      <div><dt>Price</dt><dd>{moneyText(course.price, 'Not set')}</dd></div>
      <div><dt>Prerequisite</dt><dd dir="auto">{course.prerequisite || 'None'}</dd></div>
    </dl>
  );
}
