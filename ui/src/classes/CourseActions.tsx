// The edit and delete buttons of a course.
import type { CourseRow } from '../api-types.ts';
import { Icon } from '../components/Icon.tsx';

/** Absent for read-only roles. */
export type CourseActs = {
  edit: (course: CourseRow) => void;
  remove: (course: CourseRow) => void;
  importSample: () => void;
} | null;

/** The button that takes the focus after saving. */
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
