// What the office may do to a course in a list.
import type { CourseRow } from '../api-types.ts';
import { Icon } from '../components/Icon.tsx';

/** Absent for a role that may only read. */
export type CourseActs = {
  edit: (course: CourseRow) => void;
  remove: (course: CourseRow) => void;
  importSample: () => void;
} | null;

/** Where the focus lands after a course was saved. */
export function editButtonId(id: number): string {
  return `edit-course-${id}`;
}

export function CourseActions({ course, acts }: { course: CourseRow; acts: NonNullable<CourseActs> }) {
  const name = `${course.code}: ${course.name}`;
  return (
    <>
      <button type="button" className="icon-button" id={editButtonId(course.id)} aria-label={`Edit ${name}`} onClick={() => acts.edit(course)}>
        <Icon name="pencil" />
      </button>
      <button type="button" className="icon-button" aria-label={`Delete ${name}`} onClick={() => acts.remove(course)}>
        <Icon name="trash" />
      </button>
    </>
  );
}
