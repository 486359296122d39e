// Cancels the admission that came of a request.
import { useMutation } from '@tanstack/react-query';
import { showToast } from '../components/toasts.ts';
import { TakeBackDialog } from './dialogs.tsx';
import { cancelAdmission } from './decisions.ts';

type CancelDialogProps = { admissionId: number; onCancelled: () => void; onClose: () => void };

export function CancelDialog({ admissionId, onCancelled, onClose }: CancelDialogProps) {
  const cancelling = useMutation({ mutationFn: (reason: string) => cancelAdmission(admissionId, reason) });
  return (
    <TakeBackDialog
      verb="cancel"
      onClose={onClose}
      send={async (body) => {
        await cancelling.mutateAsync((body as { reason: string }).reason);
        showToast('Admission cancelled', 'The charge of the fee is reversed.');
        onCancelled();
      }}
    />
  );
}
