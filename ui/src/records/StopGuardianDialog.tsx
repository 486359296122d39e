// Stops disclosing anything to a guardian, for example for custody, and resumes.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { failureWords } from '../api.ts';
import type { Guardian } from '../api-types.ts';
import { Dialog } from '../components/Dialog.tsx';
import { Field } from '../components/Field.tsx';
import { Form } from '../components/Form.tsx';
import { showToast } from '../components/toasts.ts';
import { useServerForm } from '../components/useServerForm.ts';
import { recordsKey } from '../enrollments/office/studentFile.ts';
import { stopGuardian } from './queries.ts';

const text = z.string().check(z.trim());

type StopGuardianDialogProps = { studentId: number; guardian: Pick<Guardian, 'id' | 'name' | 'stoppedAt'>; onClose: () => void };

export function StopGuardianDialog({ studentId, guardian: { id, name, stoppedAt }, onClose }: StopGuardianDialogProps) {
  const client = useQueryClient();
  const stopping = useMutation(stopGuardian);
  const isStopped = stoppedAt !== null;
  const { register, field, failure, isPending, summary, submit } = useServerForm({
    schema: z.object({ reason: isStopped ? text : text.check(z.minLength(3, 'Please say why: the office reads it later')) }),
    values: { reason: '' },
    fields: ['reason'],
    idPrefix: 'stop-guardian',
    send: async ({ reason }) => {
      await stopping.mutateAsync({ id: studentId, guardianId: id, reason: isStopped ? null : reason });
      await client.invalidateQueries({ queryKey: recordsKey });
      showToast(isStopped ? 'Resumed' : 'Stopped', isStopped ? `${name} is told about the student again.` : `Nothing more is disclosed to ${name}.`);
      onClose();
    },
  });
  const close = () => !isPending && onClose();
  return (
    <Dialog title={isStopped ? 'Disclose Again' : 'Stop Disclosing'} onClose={close}>
      <Form
        isPending={isPending}
        summary={summary}
        error={failure && failureWords(failure, 'That did not work. Please try again.')}
        submitLabel={isStopped ? 'Resume' : 'Stop'}
        pendingLabel="Saving..."
        onSubmit={submit}
        onCancel={close}
      >
        {isStopped
          ? <p><span dir="auto">{name}</span> sees the student on the family page and gets emails again. Earlier confirmations stay void.</p>
          : <p><span dir="auto">{name}</span> disappears from the family page at once, gets no more emails about the student, and what they confirmed no longer counts. They are not told.</p>}
        {!isStopped && (
          <Field {...field('reason')} label="Why?" hint="Only the office reads this.">
            {(control) => <textarea {...control} {...register('reason')} rows={2} maxLength={500} dir="auto" />}
          </Field>
        )}
      </Form>
    </Dialog>
  );
}
