// The dialog that asks the office to let a student leave an active course.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Enrollment } from '../api-types.ts';
import { ReasonDialog } from '../components/ReasonDialog.tsx';
import { showToast } from '../components/toasts.ts';
import { LeavingSteps } from './LeavingSteps.tsx';
import { askToLeave, ownEnrollmentsQuery } from './queries.ts';

type LeaveDialogProps = { enrollment: Enrollment; onClose: () => void; onDone: () => void };

export function LeaveDialog({ enrollment: { id, course }, onClose, onDone }: LeaveDialogProps) {
  const client = useQueryClient();
  const asking = useMutation(askToLeave);
  return (
    <ReasonDialog
      title="Ask to leave this course?"
      intro={
        <>
          <p>
            The office decides when you leave <strong>{`${course.name} (${course.code})`}</strong>, and what that means for your mark and your fee. Until
            then you stay enrolled.
          </p>
          <LeavingSteps id={id} />
        </>
      }
      idPrefix="leave"
      label="Why do you want to leave?"
      hint="The office reads this."
      rows={4}
      maxLength={1000}
      min={10}
      wanted="Please say in at least 10 characters why you want to leave"
      submitLabel="Ask to Leave"
      pendingLabel="Asking..."
      failed="Your request could not be sent. Please try again."
      failureTitle="Request not sent"
      send={async (reason) => {
        await asking.mutateAsync({ id, reason });
        await client.invalidateQueries({ queryKey: ownEnrollmentsQuery.queryKey });
        showToast('Request sent', 'You stay enrolled until the office answers.');
        onDone();
      }}
      onClose={onClose}
    />
  );
}
