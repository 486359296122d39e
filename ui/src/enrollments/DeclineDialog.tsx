// The dialog that declines a request, with a reason for the student.
import { useMutation } from '@tanstack/react-query';
import { failureWords } from '../api.ts';
import type { DeclineCode, OfficeEnrollment } from '../api-types.ts';
import { Dialog } from '../components/Dialog.tsx';
import { Form } from '../components/Form.tsx';
import { showFailure, showToast } from '../components/toasts.ts';
import { useServerForm } from '../components/useServerForm.ts';
import { useUnsavedChanges } from '../components/useUnsavedChanges.tsx';
import { DeclineFields } from './DeclineFields.tsx';
import { type Decided, decidedElsewhere, decidedHere } from './decisionResults.ts';
import { declineReasons, declineSchema } from './decline.ts';
import { declineEnrollment } from './queries.ts';

type DeclineDialogProps = { enrollment: OfficeEnrollment; onDecided: (decided: Decided) => void; onClose: () => void };

export function DeclineDialog({ enrollment, onDecided, onClose }: DeclineDialogProps) {
  const { id, studentName, courseName, courseCode } = enrollment;
  const declining = useMutation(declineEnrollment);
  const form = useServerForm({
    schema: declineSchema,
    values: { code: 'class_full' as DeclineCode, reason: declineReasons.class_full.text },
    fields: ['code', 'reason'],
    idPrefix: 'decline-form',
    send: async (values) => {
      const answer = await declining.mutateAsync({ id, expected: enrollment.status, ...values });
      if (answer.isChanged !== false) showToast('Request declined', 'The student gets an email with the reason.');
      onDecided(decidedHere(answer, 'Already declined by a colleague'));
    },
    onFailure: (error) => {
      const elsewhere = decidedElsewhere(error);
      showFailure('Failed to decline the request', words(error));
      if (elsewhere) onDecided(elsewhere);
    },
  });
  const { failure, isDirty, isPending, summary, submit } = form;
  const { leave, question } = useUnsavedChanges(isDirty);
  const close = () => !isPending && leave(onClose);

  return (
    <Dialog title="Decline this request?" onClose={close}>
      <p>
        <strong dir="auto">{studentName}</strong> asked for <strong dir="auto">{courseName}</strong><span>{` (${courseCode}). Nothing is charged, and the student may ask again.`}</span>
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
        <DeclineFields form={form} id={id} />
      </Form>
      {question}
    </Dialog>
  );
}

function words(error: Error): string {
  return failureWords(error, 'The request could not be declined. Please try again.');
}
