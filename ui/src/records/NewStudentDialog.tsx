// Invite Student: creates an account whose owner chooses the password by a link.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import * as z from 'zod/mini';
import { Dialog } from '../components/Dialog.tsx';
import { email } from '../components/email.ts';
import { Field } from '../components/Field.tsx';
import { Form } from '../components/Form.tsx';
import { showToast } from '../components/toasts.ts';
import { useServerForm } from '../components/useServerForm.ts';
import { useUnsavedChanges } from '../components/useUnsavedChanges.tsx';
import { recordsKey } from '../enrollments/office/studentFile.ts';
import { officePaths } from '../officePaths.ts';
import { Failure } from './Failure.tsx';
import { createStudent } from './queries.ts';

const schema = z.object({
  fullName: z.string().check(z.trim(), z.minLength(2, 'Full name is required')),
  email: email(),
  parentName: z.string().check(z.trim()),
  parentContact: z.string().check(z.trim()),
  invite: z.boolean(),
});

export function NewStudentDialog({ onClose }: { onClose: () => void }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const creating = useMutation(createStudent);
  const { form, register, field, failure, isDirty, isPending, summary, submit } = useServerForm({
    schema,
    values: { fullName: '', email: '', parentName: '', parentContact: '', invite: true },
    fields: ['fullName', 'email', 'parentName', 'parentContact'],
    idPrefix: 'new-student',
    send: async (values) => {
      const made = await creating.mutateAsync(values);
      form.reset(values);
      void client.invalidateQueries({ queryKey: recordsKey });
      showToast('Account created', values.invite ? `An invitation is on its way to ${made.email}.` : 'No email was sent.');
      onClose();
      void navigate(officePaths.student(made.id));
    },
  });
  const { leave, question } = useUnsavedChanges(isDirty && !isPending);

  return (
    <Dialog title="Invite a Student" onClose={() => leave(onClose)}>
      <Form
        isPending={isPending}
        summary={summary}
        error={failure && <Failure error={failure} otherwise="The account could not be created. Please try again." />}
        submitLabel="Create Account"
        pendingLabel="Creating..."
        onSubmit={submit}
        onCancel={() => leave(onClose)}
      >
        <Field {...field('fullName')} label="Full name">
          {(control) => <input {...control} {...register('fullName')} type="text" autoComplete="off" dir="auto" />}
        </Field>
        <Field {...field('email')} label="Email">
          {(control) => <input {...control} {...register('email')} type="email" autoComplete="off" spellCheck={false} />}
        </Field>
        <div className="grid field-pair">
          <Field {...field('parentName')} label="Parent or guardian (optional)">
            {(control) => <input {...control} {...register('parentName')} type="text" autoComplete="off" dir="auto" />}
          </Field>
          <Field {...field('parentContact')} label="How to reach them (optional)">
            {(control) => <input {...control} {...register('parentContact')} type="text" autoComplete="off" />}
          </Field>
        </div>
        <label className="tick">
          <input type="checkbox" {...register('invite')} />
          Send an invitation to choose a password; it is valid for seven days
        </label>
      </Form>
      {question}
    </Dialog>
  );
}
