// The dialog that asks the office to let a student leave an active course.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { failureWords } from '../api.ts';
import type { Enrollment } from '../api-types.ts';
import { Dialog } from '../components/Dialog.tsx';
import { Field } from '../components/Field.tsx';
import { Form } from '../components/Form.tsx';
import { showFailure, showToast } from '../components/toasts.ts';
import { useServerForm } from '../components/useServerForm.ts';
import { useUnsavedChanges } from '../components/useUnsavedChanges.tsx';
import { LeavingSteps } from './LeavingSteps.tsx';
import { askToLeave, ownEnrollmentsQuery } from './queries.ts';

const schema = z.object({
  reason: z.string().check(z.trim(), z.minLength(10, 'Please say in at least 10 characters why you want to leave')),
});

type LeaveDialogProps = { enrollment: Enrollment; onClose: () => void; onDone: () => void };

export function LeaveDialog({ enrollment: { id, course }, onClose, onDone }: LeaveDialogProps) {
  const client = useQueryClient();
  const asking = useMutation(askToLeave);
  const { register, field, failure, isDirty, isPending, summary, submit } = useServerForm({
    schema,
    values: { reason: '' },
    fields: ['reason'],
    idPrefix: 'leave',
    send: async (values) => {
      await asking.mutateAsync({ id, ...values });
      await client.invalidateQueries({ queryKey: ownEnrollmentsQuery.queryKey });
      showToast('Request sent', 'You stay enrolled until the office answers.');
      onDone();
    },
    onFailure: (error) => showFailure('Request not sent', words(error)),
  });
  const { leave, question } = useUnsavedChanges(isDirty);
  const close = () => !isPending && leave(onClose);

  return (
    <Dialog title="Ask to leave this course?" onClose={close}>
      <p>
        The office decides when you leave <strong>{`${course.name} (${course.code})`}</strong>, and what that means for your mark and your fee. Until
        then you stay enrolled.
      </p>
      <LeavingSteps id={id} />
      <Form
        isPending={isPending}
        summary={summary}
        error={failure && words(failure)}
        isToasted
        submitLabel="Ask to Leave"
        pendingLabel="Asking..."
        onSubmit={submit}
        onCancel={close}
      >
        <Field {...field('reason')} label="Why do you want to leave?" hint="The office reads this.">
          {(control) => <textarea {...control} {...register('reason')} rows={4} maxLength={1000} dir="auto" />}
        </Field>
      </Form>
      {question}
    </Dialog>
  );
}

function words(error: Error): string {
  return failureWords(error, 'Your request could not be sent. Please try again.');
}
