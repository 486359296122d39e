// The open course dialog.
import type { Grade, OfficeCourse } from '../api-types.ts';
import { CourseDialog } from './CourseDialog.tsx';
import { DeleteCourseDialog } from './DeleteCourseDialog.tsx';

export type OpenDialog = { kind: 'create'; grade: Grade } | { kind: 'update' | 'delete'; course: OfficeCourse };

type CourseDialogsProps = {
  open: OpenDialog | null;
  /** Closes this dialog, but not one opened in the meantime. */
  onClose: (which: OpenDialog) => void;
  changes: { created: (course: OfficeCourse) => void; updated: (course: OfficeCourse) => void; deleted: (course: OfficeCourse) => void };
};

export function CourseDialogs({ open, onClose, changes }: CourseDialogsProps) {
  if (!open) return null;
  const close = () => onClose(open);
  const closing = (report: (course: OfficeCourse) => void) => (course: OfficeCourse) => {
    close();
    report(course);
  };
  switch (open.kind) {
    case 'create': return <CourseDialog course={null} grade={open.grade} onSaved={closing(changes.created)} onClose={close} />;
    case 'update': return <CourseDialog course={open.course} onSaved={closing(changes.updated)} onClose={close} />;
    case 'delete': return <DeleteCourseDialog course={open.course} onDeleted={closing(changes.deleted)} onClose={close} />;
  }
}
