// Stops disclosing anything to a guardian, for example for custody, and resumes.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Guardian } from '../api-types.ts';
import { ReasonDialog } from '../components/ReasonDialog.tsx';
import { showToast } from '../components/toasts.ts';
import { recordsKey } from '../enrollments/office/studentFile.ts';
import { stopGuardian } from './queries.ts';

type StopGuardianDialogProps = { studentId: number; guardian: Pick<Guardian, 'id' | 'name' | 'stoppedAt'>; onClose: () => void };

export function StopGuardianDialog({ studentId, guardian: { id, name, stoppedAt }, onClose }: StopGuardianDialogProps) {
  const client = useQueryClient();
  const stopping = useMutation(stopGuardian);
  const isStopped = stoppedAt !== null;
  return (
    <ReasonDialog
      title={isStopped ? 'Disclose Again' : 'Stop Disclosing'}
      intro={
        isStopped
          ? <p><span dir="auto">{name}</span> sees the student on the family page and gets emails again. Earlier confirmations stay void.</p>
          : <p><span dir="auto">{name}</span> disappears from the family page at once, gets no more emails about the student, and what they confirmed no longer counts. They are not told.</p>
      }
      idPrefix="stop-guardian"
      isAsked={!isStopped}
      label="Why?"
      hint="Only the office reads this."
      wanted="Please say why: the office reads it later"
      submitLabel={isStopped ? 'Resume' : 'Stop'}
      failed="That did not work. Please try again."
      send={async (reason) => {
        await stopping.mutateAsync({ id: studentId, guardianId: id, reason: isStopped ? null : reason });
        await client.invalidateQueries({ queryKey: recordsKey });
        showToast(isStopped ? 'Resumed' : 'Stopped', isStopped ? `${name} is told about the student again.` : `Nothing more is disclosed to ${name}.`);
        onClose();
      }}
      onClose={onClose}
    />
  );
}
