// Approves one request: it becomes active, its fee is charged, and the student gets a letter. The row
// stays a moment, approved, so that a second press in the same place does not hit the next student.
import { useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { failureWords, isSignedOut } from '../api.ts';
import type { PendingEnrollment } from '../api-types.ts';
import { showFailure, showToast } from '../components/toasts.ts';
import { useAction } from '../components/useAction.ts';
import { approveEnrollment } from './queries.ts';

const stays_ms = 1000;

/** `headingId`: where the focus goes from a row that is about to leave. */
type ApproveButtonProps = { enrollment: PendingEnrollment; headingId: string };

export function ApproveButton({ enrollment, headingId }: ApproveButtonProps) {
  const client = useQueryClient();
  const button = useRef<HTMLButtonElement>(null);
  const refreshRows = () => client.invalidateQueries({ queryKey: ['enrollments', 'pending'] });
  const refreshFigures = () => client.invalidateQueries({ queryKey: ['dashboard'] });
  const approving = useAction({
    ...approveEnrollment,
    onSuccess: () => {
      showToast('Enrollment approved', 'The student enrollment has been approved successfully.');
      // Whoever went on meanwhile is not called back; whoever sees the focus is led to it.
      const isHere = document.activeElement === button.current;
      const preventScroll = !button.current?.matches(':focus-visible');
      if (isHere) document.getElementById(headingId)?.focus({ preventScroll });
      void refreshFigures();
      setTimeout(() => void refreshRows(), stays_ms);
    },
    onError: async (error) => {
      if (isSignedOut(error)) return;
      showFailure('Failed to approve enrollment', failureWords(error, 'An error occurred while approving the enrollment.'));
      // Somebody else may have decided meanwhile.
      await Promise.all([refreshRows(), refreshFigures()]);
    },
  });

  if (approving.isSuccess) return <span className="badge badge-green">Approved</span>;
  return (
    <button
      type="button"
      ref={button}
      className="button button-primary approve"
      aria-disabled={approving.isPending}
      aria-describedby={`student-${enrollment.id} course-${enrollment.id}`}
      onClick={() => approving.run(enrollment.id)}
    >
      {approving.isPending ? 'Approving...' : 'Approve'}
    </button>
  );
}
