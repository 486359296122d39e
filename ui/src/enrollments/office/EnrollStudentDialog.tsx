// The dialog that enrolls a student on their behalf.
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { ApiError, failureWords } from '../../api.ts';
import type { DecidedEnrollment, Enrollment, Requirement } from '../../api-types.ts';
import { Dialog } from '../../components/Dialog.tsx';
import { Field } from '../../components/Field.tsx';
import { Form } from '../../components/Form.tsx';
import { showFailure, showToast } from '../../components/toasts.ts';
import { useServerForm } from '../../components/useServerForm.ts';
import { useUnsavedChanges } from '../../components/useUnsavedChanges.tsx';
import { managedCoursesQuery } from '../../courses/queries.ts';
import { today } from '../../dates.ts';
import { moneyText } from '../../money.ts';
import { useSchool } from '../../school/queries.ts';
import { enrollmentIn } from '../earlierEnrollments.ts';
import { enrollStudent } from '../queries.ts';
import { datesOf, usualDates } from '../schema.ts';
import { enrollmentForm, onBehalfSchema } from './onBehalf.ts';

type EnrollStudentDialogProps = {
  student: { id: number; name: string };
  /** The student's enrollments, newest first. */
  enrollments: readonly Enrollment[];
  /** A course that the family wanted in its application. */
  wish: { code: string; reference: string } | null;
  onEnrolled: (decided: DecidedEnrollment) => void;
  onClose: () => void;
};

/** The server's reason for refusing, and the requirement that overrides it. */
const overridden: Record<string, Requirement> = {
  capacity_full: 'capacity',
  profile_incomplete: 'profile',
  guardian_missing: 'guardian',
  documents_missing: 'documents',
};

export function EnrollStudentDialog({ student, enrollments, wish, onEnrolled, onClose }: EnrollStudentDialogProps) {
  const courses = useQuery(managedCoursesQuery).data ?? [];
  const enrolling = useMutation(enrollStudent);
  const [lacking, setLacking] = useState<Requirement[]>([]);
  const [semester] = useSchool().semesters;
  const form = useServerForm({
    schema: onBehalfSchema,
    values: {
      courseId: '', ...(semester ? datesOf(semester) : usualDates(today())), price: '', status: wish ? 'pending' as const : 'active' as const,
      reason: wish ? `Wanted in the application ${wish.reference}` : '', override: '',
    },
    fields: ['courseId', 'startDate', 'endDate', 'price', 'status', 'reason', 'override'],
    idPrefix: 'enroll-student',
    send: async (values) => {
      const answer = await enrolling.mutateAsync(enrollmentForm(student.id, values, lacking));
      showToast(answer.status === 'active' ? 'Student enrolled' : 'Request entered', 'The student gets an email about it.');
      onEnrolled(answer);
    },
    onFailure: (error) => {
      const missing = error instanceof ApiError && error.reason ? overridden[error.reason] : undefined;
      if (missing) setLacking((before) => [...new Set([...before, missing])]);
      showFailure('Not enrolled yet', words(error));
    },
  });
  const { register, field, failure, isDirty, isPending, summary, submit } = form;
  const { leave, question } = useUnsavedChanges(isDirty);
  const close = () => !isPending && leave(onClose);
  const course = courses.find(({ id }) => String(id) === form.form.watch('courseId'));
  const wanted = wish && courses.find(({ code }) => code === wish.code)?.id;
  const { setValue } = form.form;
  useEffect(() => {
    if (wanted) setValue('courseId', String(wanted));
  }, [wanted, setValue]);
  const earlier = course && enrollmentIn(enrollments, course);

  return (
    <Dialog title="Enroll in a course" onClose={close}>
      <p>On behalf of <strong dir="auto">{student.name}</strong>.</p>
      <Form
        isPending={isPending}
        summary={summary}
        error={failure && words(failure)}
        isToasted
        submitLabel="Enroll"
        pendingLabel="Enrolling..."
        onSubmit={submit}
        onCancel={close}
      >
        <Field {...field('courseId')} label="Course" hint={earlier?.status === 'completed' ? `A repeat: the student completed ${earlier.course.code}${typeof earlier.finalMark === 'number' ? ` with ${earlier.finalMark}%` : ''}. The better mark earns the credit, once.` : undefined}>
          {(control) => (
            <select {...control} {...register('courseId')}>
              <option value="">Choose a course</option>
              {courses.map(({ id, code, name }) => <option key={id} value={id}>{`${code} · ${name}`}</option>)}
            </select>
          )}
        </Field>
        <div className="grid field-pair">
          <Field {...field('startDate')} label="Start date">
            {(control) => <input type="date" {...control} {...register('startDate')} />}
          </Field>
          <Field {...field('endDate')} label="End date">
            {(control) => <input type="date" {...control} {...register('endDate')} />}
          </Field>
          <Field {...field('price')} label="Price (optional)" hint={`Otherwise ${moneyText(course?.price, 'the course’s price')}.`}>
            {(control) => <input inputMode="decimal" {...control} {...register('price')} />}
          </Field>
          <Field {...field('status')} label="Enroll" hint="“Immediately” also posts the charge.">
            {(control) => (
              <select {...control} {...register('status')}>
                <option value="active">Immediately</option>
                <option value="pending">As a request, to be decided</option>
              </select>
            )}
          </Field>
        </div>
        <Field {...field('reason')} label="Reason for enrolling on their behalf" hint="For the office’s own record; the student does not see it.">
          {(control) => <input {...control} {...register('reason')} maxLength={1000} />}
        </Field>
        {lacking.length > 0 && (
          <Field {...field('override')} label="Reason for enrolling without the missing items" hint="Kept with the decision.">
            {(control) => <input {...control} {...register('override')} maxLength={500} />}
          </Field>
        )}
      </Form>
      {question}
    </Dialog>
  );
}

function words(error: Error): string {
  return failureWords(error, 'The student could not be enrolled. Please try again.');
}
