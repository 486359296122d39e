// Declines a request: why, in words that the student reads.
import { useMutation } from '@tanstack/react-query';
import { failureWords } from '../api.ts';
import type { DeclineCode, PendingEnrollment } from '../api-types.ts';
import { wordsOf } from '../closedSets.ts';
import { Dialog } from '../components/Dialog.tsx';
import { Field } from '../components/Field.tsx';
import { Form } from '../components/Form.tsx';
import { showFailure, showToast } from '../components/toasts.ts';
import { useServerForm } from '../components/useServerForm.ts';
import { useUnsavedChanges } from '../components/useUnsavedChanges.tsx';
import { type Decided, decidedElsewhere, decidedHere } from './decided.ts';
import { declineReasons, declineSchema, wordsFor } from './decline.ts';
import { declineEnrollment } from './queries.ts';

type DeclineDialogProps = { enrollment: PendingEnrollment; onDecided: (decided: Decided) => void; onClose: () => void };

export function DeclineDialog({ enrollment, onDecided, onClose }: DeclineDialogProps) {
  const { id, student_name, course_name, course_code } = enrollment;
  const declining = useMutation(declineEnrollment);
  const { register, field, failure, isDirty, isPending, summary, submit, form } = useServerForm({
    schema: declineSchema,
    values: { code: 'class_full' as DeclineCode, reason: declineReasons.class_full.text },
    fields: ['code', 'reason'],
    idPrefix: 'decline-form',
    send: async (values) => {
      const answer = await declining.mutateAsync({ id, ...values });
      if (answer.isChanged !== false) showToast('Request declined', 'The student gets an e-mail with the reason.');
      onDecided(decidedHere(answer, 'Declined by somebody else meanwhile'));
    },
    onFailure: (error) => {
      const elsewhere = decidedElsewhere(error);
      showFailure('Failed to decline the request', words(error));
      if (elsewhere) onDecided(elsewhere);
    },
  });
  const { leave, question } = useUnsavedChanges(isDirty);
  const close = () => !isPending && leave(onClose);

  return (
    <Dialog title="Decline this request?" onClose={close}>
      <p>
        <strong dir="auto">{student_name}</strong> asked for <strong dir="auto">{course_name}</strong> ({course_code}). Nothing is
        charged, and the student may ask again.
      </p>
      <Form
        isPending={isPending}
        summary={summary}
        error={failure && words(failure)}
        isToasted
        submitLabel="Decline"
        pendingLabel="Declining..."
        onSubmit={submit}
        onCancel={close}
      >
        <Field {...field('code')} label="Reason">
          {(control) => (
            <select
              {...control}
              {...register('code', {
                onChange: ({ target }: { target: HTMLSelectElement }) =>
                  form.setValue('reason', wordsFor(target.value as DeclineCode, form.getValues('reason')), { shouldDirty: true }),
              })}
            >
              {wordsOf(declineReasons).map((code) => <option key={code} value={code}>{declineReasons[code].label}</option>)}
            </select>
          )}
        </Field>
        <Field {...field('reason')} label="What the student reads" hint="In the e-mail and in the student portal.">
          {(control) => <textarea {...control} {...register('reason')} rows={4} maxLength={1000} />}
        </Field>
      </Form>
      {question}
    </Dialog>
  );
}

function words(error: Error): string {
  return failureWords(error, 'The request could not be declined. Please try again.');
}
