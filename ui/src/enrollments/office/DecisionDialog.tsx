// The dialog of a decision with fields.
import type { ReactNode } from 'react';
import type { DefaultValues, FieldPath, FieldValues } from 'react-hook-form';
import type * as z from 'zod/mini';
import type { DecidedEnrollment, EnrollmentStatus, OfficeEnrollment } from '../../api-types.ts';
import { FormDialog, type ServerForm } from '../../components/FormDialog.tsx';
import type { Elements } from '../../components/elements.ts';
import { showToast } from '../../components/toasts.ts';
import { type Decided, decidedElsewhere, decidedHere } from '../decisionResults.ts';

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
  const { enrollment, intro, send, done, onDecided, ...dialog } = props;
  return (
    <FormDialog<Values>
      {...dialog}
      intro={<p>{intro}</p>}
      failed="The decision could not be saved. Please try again."
      failureTitle="Nothing was changed"
      onFailure={(error) => {
        const elsewhere = decidedElsewhere(error);
        if (elsewhere && elsewhere.status !== enrollment.status) onDecided(elsewhere);
      }}
      send={async (values) => {
        const answer = await send(values, enrollment.status);
        if (answer.isChanged !== false) showToast(done, 'The student gets an email about it.');
        onDecided(decidedHere(answer, 'Already decided by a colleague'));
      }}
    />
  );
}

/** "Amara Okonkwo in English (ENG4U)". */
export function StudentAndCourse({ enrollment: { studentName, courseName, courseCode } }: { enrollment: OfficeEnrollment }) {
  return <><strong dir="auto">{studentName}</strong><span> in </span><strong dir="auto">{courseName}</strong><span>{` (${courseCode})`}</span></>;
}
