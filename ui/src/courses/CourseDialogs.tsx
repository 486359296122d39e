// Whichever of the course dialogs is open.
import type { Course } from '../api-types.ts';
import { CourseDialog } from './CourseDialog.tsx';
import { DeleteCourseDialog } from './DeleteCourseDialog.tsx';

export type OpenDialog = { kind: 'create' } | { kind: 'update' | 'delete'; course: Course };

type CourseDialogsProps = {
  open: OpenDialog | null;
  onClose: () => void;
  changes: { created: (course: Course) => void; updated: (course: Course) => void; deleted: (course: Course) => void };
};

export function CourseDialogs({ open, onClose, changes }: CourseDialogsProps) {
  const closing = (tell: (course: Course) => void) => (course: Course) => {
    onClose();
    tell(course);
  };
  switch (open?.kind) {
    case 'create': return <CourseDialog course={null} onSaved={closing(changes.created)} onClose={onClose} />;
    case 'update': return <CourseDialog course={open.course} onSaved={closing(changes.updated)} onClose={onClose} />;
    case 'delete': return <DeleteCourseDialog course={open.course} onDeleted={closing(changes.deleted)} onClose={onClose} />;
    default: return null;
  }
}
