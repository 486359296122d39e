// Approves one request: it becomes active, its fee is charged, and the student gets a letter.
import { useQueryClient } from '@tanstack/react-query';
import { failureWords, isSignedOut } from '../api.ts';
import type { PendingEnrollment } from '../api-types.ts';
import { showFailure, showToast } from '../components/toasts.ts';
import { useAction } from '../components/useAction.ts';
import { approveEnrollment } from './queries.ts';

type ApproveButtonProps = { enrollment: PendingEnrollment; onApproved: () => void };

export function ApproveButton({ enrollment, onApproved }: ApproveButtonProps) {
  const client = useQueryClient();
  const refresh = () =>
    Promise.all([
      client.invalidateQueries({ queryKey: ['enrollments', 'pending'] }),
      client.invalidateQueries({ queryKey: ['dashboard'] }),
    ]);
  const approving = useAction({
    ...approveEnrollment,
    onSuccess: async () => {
      showToast('Enrollment approved', 'The student enrollment has been approved successfully.');
      onApproved();
      await refresh();
    },
    onError: async (error) => {
      if (isSignedOut(error)) return;
      showFailure('Failed to approve enrollment', failureWords(error, 'An error occurred while approving the enrollment.'));
      // Somebody else may have decided meanwhile.
      await refresh();
    },
  });

  return (
    <button
      type="button"
      className="button button-primary"
      aria-disabled={approving.isPending}
      aria-describedby={`student-${enrollment.id} course-${enrollment.id}`}
      onClick={() => approving.run(enrollment.id)}
    >
      {approving.isPending ? 'Approving...' : 'Approve'}
    </button>
  );
}
