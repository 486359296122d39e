// The dialog of a decision with fields.
import type { ReactNode } from 'react';
import type { DefaultValues, FieldPath, FieldValues } from 'react-hook-form';
import type * as z from 'zod/mini';
import { failureWords } from '../../api.ts';
import type { DecidedEnrollment, EnrollmentStatus, OfficeEnrollment } from '../../api-types.ts';
import { Dialog } from '../../components/Dialog.tsx';
import { Form } from '../../components/Form.tsx';
import type { Elements } from '../../components/elements.ts';
import { showFailure, showToast } from '../../components/toasts.ts';
import { useServerForm } from '../../components/useServerForm.ts';
import { useUnsavedChanges } from '../../components/useUnsavedChanges.tsx';
import { type Decided, decidedElsewhere, decidedHere } from '../decisionResults.ts';

type ServerForm<Values extends FieldValues> = ReturnType<typeof useServerForm<Values>>;

export type DecisionProps = { enrollment: OfficeEnrollment; onDecided: (decided: Decided) => void; onClose: () => void };

type DecisionDialogProps<Values extends FieldValues> = DecisionProps & {
  /** Prefix of field ids. */
  idPrefix: string;
  title: string;
  intro: ReactNode;
  schema: z.ZodMiniType<Values, Values>;
  values: DefaultValues<NoInfer<Values>>;
  fields: readonly FieldPath<NoInfer<Values>>[];
  /** Sends the decision, with the status that the office saw. */
  send: (values: Values, expected: EnrollmentStatus) => Promise<DecidedEnrollment>;
  submitLabel: string;
  done: string;
  children: (form: ServerForm<Values>) => Elements;
};

export function DecisionDialog<Values extends FieldValues>(props: DecisionDialogProps<Values>) {
  const { enrollment, idPrefix, title, intro, schema, values, fields, send, submitLabel, done, onDecided, onClose } = props;
  const form = useServerForm<Values>({
    schema,
    values,
    fields,
    idPrefix,
    send: async (sent) => {
      const answer = await send(sent, enrollment.status);
      if (answer.isChanged !== false) showToast(done, 'The student gets an email about it.');
      onDecided(decidedHere(answer, 'Already decided by a colleague'));
    },
    onFailure: (error) => {
      const elsewhere = decidedElsewhere(error);
      showFailure('Nothing was changed', words(error));
      if (elsewhere && elsewhere.status !== enrollment.status) onDecided(elsewhere);
    },
  });
  const { leave, question } = useUnsavedChanges(form.isDirty);
  const close = () => !form.isPending && leave(onClose);

  return (
    <Dialog title={title} onClose={close}>
      <p>{intro}</p>
      <Form
        isPending={form.isPending}
        summary={form.summary}
        error={form.failure && words(form.failure)}
        isToasted
        submitLabel={submitLabel}
        pendingLabel="Saving..."
        onSubmit={form.submit}
        onCancel={close}
      >
        {props.children(form)}
      </Form>
      {question}
    </Dialog>
  );
}

/** "Amara Okonkwo in English (ENG4U)". */
export function StudentAndCourse({ enrollment: { studentName, courseName, courseCode } }: { enrollment: OfficeEnrollment }) {
  return <><strong dir="auto">{studentName}</strong><span> in </span><strong dir="auto">{courseName}</strong><span>{` (${courseCode})`}</span></>;
}

function words(error: Error): string {
  return failureWords(error, 'The decision could not be saved. Please try again.');
}
