// Asks before a course is deleted (section 2). The server archives one that students enrolled in.
import { useQueryClient } from '@tanstack/react-query';
import { ApiError, failureWords, isSignedOut } from '../api.ts';
import type { OfficeCourse } from '../api-types.ts';
import { ConfirmDialog } from '../components/ConfirmDialog.tsx';
import { showFailure, showToast } from '../components/toasts.ts';
import { useAction } from '../components/useAction.ts';
import { deleteCourse, refreshCourses } from './queries.ts';

type DeleteCourseDialogProps = { course: OfficeCourse; onDeleted: (course: OfficeCourse) => void; onClose: () => void };

export function DeleteCourseDialog({ course, onDeleted, onClose }: DeleteCourseDialogProps) {
  const client = useQueryClient();
  const deleting = useAction({
    ...deleteCourse,
    onSuccess: () => {
      showToast('Course deleted');
      onDeleted(course);
      refreshCourses(client);
    },
    onError: (error) => {
      if (isSignedOut(error)) return;
      showFailure('Error', failureWords(error, 'Failed to delete course. Please try again.'));
      // Already deleted by a colleague: the list is stale.
      if (error instanceof ApiError && error.status === 404) refreshCourses(client);
    },
  });

  return (
    <ConfirmDialog
      title="Delete Course"
      confirmLabel="Delete"
      pendingLabel="Deleting..."
      isPending={deleting.isPending}
      isDangerous
      onConfirm={() => deleting.run(course.id)}
      // A request in flight cannot be cancelled.
      onClose={() => !deleting.isPending && onClose()}
    >
      <p dir="auto">
        {`Are you sure you want to delete the course "${course.code}: ${course.name}"? This action cannot be undone.`}
      </p>
      <p className="fine-print">A course that students have enrolled in leaves the catalogue, and stays in their records.</p>
    </ConfirmDialog>
  );
}
