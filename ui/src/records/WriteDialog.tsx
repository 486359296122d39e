// Write an Email to one student.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { failureWords } from '../api.ts';
import type { StudentFile } from '../api-types.ts';
import { Dialog } from '../components/Dialog.tsx';
import { EmailAddress } from '../components/EmailAddress.tsx';
import { Field } from '../components/Field.tsx';
import { Form } from '../components/Form.tsx';
import { showToast } from '../components/toasts.ts';
import { useServerForm } from '../components/useServerForm.ts';
import { useUnsavedChanges } from '../components/useUnsavedChanges.tsx';
import { studentFileQuery } from '../enrollments/office/studentFile.ts';
import { emailSchema } from '../mail/writing.ts';
import { writeToStudent } from './queries.ts';

export function WriteDialog({ file: { student }, onClose }: { file: StudentFile; onClose: () => void }) {
  const client = useQueryClient();
  const writing = useMutation(writeToStudent);
  const { register, field, failure, isDirty, isPending, summary, submit } = useServerForm({
    schema: emailSchema,
    values: { subject: '', body: '' },
    fields: ['subject', 'body'],
    idPrefix: 'write',
    send: async (email) => {
      await writing.mutateAsync({ id: student.id, ...email });
      await client.invalidateQueries(studentFileQuery(student.id));
      showToast('Email queued', `To ${student.email}.`);
      onClose();
    },
  });
  const { leave, question } = useUnsavedChanges(isDirty && !isPending);
  return (
    <Dialog title="Write an Email" isWide onClose={() => leave(onClose)}>
      <p>To <strong><EmailAddress address={student.email} /></strong>. It begins with a greeting by name and ends with the school’s address. Replies go to the school.</p>
      <Form
        isPending={isPending}
        summary={summary}
        error={failure && failureWords(failure, 'The email could not be queued. Please try again.')}
        submitLabel="Send"
        pendingLabel="Sending..."
        onSubmit={submit}
        onCancel={() => leave(onClose)}
      >
        <Field {...field('subject')} label="Subject">
          {(control) => <input {...control} {...register('subject')} type="text" autoComplete="off" maxLength={150} dir="auto" />}
        </Field>
        <Field {...field('body')} label="Message">
          {(control) => <textarea {...control} {...register('body')} rows={8} maxLength={10000} dir="auto" />}
        </Field>
      </Form>
      {question}
    </Dialog>
  );
}
