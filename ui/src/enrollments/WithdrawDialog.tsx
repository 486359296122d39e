// Confirms and performs the withdrawal of a request.
import { useQueryClient } from '@tanstack/react-query';
import { failureWords, isSignedOut } from '../api.ts';
import type { Enrollment } from '../api-types.ts';
import { ConfirmDialog } from '../components/ConfirmDialog.tsx';
import { showFailure, showToast } from '../components/toasts.ts';
import { useAction } from '../components/useAction.ts';
import { ownEnrollmentsQuery, withdrawRequest } from './queries.ts';

type WithdrawDialogProps = { enrollment: Enrollment; onClose: () => void; onDone: () => void };

export function WithdrawDialog({ enrollment, onClose, onDone }: WithdrawDialogProps) {
  const { name, code } = enrollment.course;
  const client = useQueryClient();
  const refresh = () => client.invalidateQueries({ queryKey: ownEnrollmentsQuery.queryKey });
  const withdrawing = useAction({
    ...withdrawRequest,
    onSuccess: async () => {
      await refresh();
      showToast('Request Withdrawn', `Your request for ${name} (${code}) has been withdrawn.`);
      onDone();
    },
    onError: async (error) => {
      if (isSignedOut(error)) return;
      // The office may have decided in the meantime; the refetched list shows it.
      await refresh();
      showFailure('Withdrawal Failed', failureWords(error, 'The request could not be withdrawn. Please try again.'));
      onDone();
    },
  });

  return (
    <ConfirmDialog
      title="Withdraw this request?"
      confirmLabel="Withdraw Request"
      pendingLabel="Withdrawing..."
      cancelLabel="Keep Request"
      isPending={withdrawing.isPending}
      isDangerous
      onConfirm={() => withdrawing.run(enrollment.id)}
      onClose={() => !withdrawing.isPending && onClose()}
    >
      <p>
        The office will no longer consider your request for <strong>{`${name} (${code})`}</strong>. You may request the
        course again later.
      </p>
    </ConfirmDialog>
  );
}
