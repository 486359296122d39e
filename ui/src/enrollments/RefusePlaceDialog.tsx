// Confirms that a student declines an offered place.
import type { Enrollment } from '../api-types.ts';
import { ConfirmDialog } from '../components/ConfirmDialog.tsx';
import { declinePlace } from './queries.ts';
import { useOwnAction } from './useOwnAction.ts';

type RefusePlaceDialogProps = { enrollment: Enrollment; onClose: () => void; onDone: () => void };

export function RefusePlaceDialog({ enrollment: { id, course }, onClose, onDone }: RefusePlaceDialogProps) {
  const refusing = useOwnAction(
    declinePlace,
    { done: ['Place declined', `You no longer wait for ${course.name} (${course.code}).`], failed: ['The place is still yours', 'Please try again.'] },
    onDone,
  );
  return (
    <ConfirmDialog
      title="Decline this place?"
      confirmLabel="No Thanks"
      pendingLabel="Sending..."
      cancelLabel="Keep the Place"
      isPending={refusing.isPending}
      isDangerous
      onConfirm={() => refusing.run(id)}
      onClose={() => !refusing.isPending && onClose()}
    >
      <p>
        The place in <strong>{`${course.name} (${course.code})`}</strong> is offered to the next student on the waiting list, and you are removed from it. You can request the course again later.
      </p>
    </ConfirmDialog>
  );
}
