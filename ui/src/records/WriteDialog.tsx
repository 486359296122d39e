// Write an Email to one student.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { StudentFile } from '../api-types.ts';
import { EmailAddress } from '../components/EmailAddress.tsx';
import { Field } from '../components/Field.tsx';
import { FormDialog } from '../components/FormDialog.tsx';
import { showToast } from '../components/toasts.ts';
import { studentFileQuery } from '../enrollments/office/studentFile.ts';
import { emailSchema } from '../mail/writing.ts';
import { writeToStudent } from './queries.ts';

export function WriteDialog({ file: { student }, onClose }: { file: StudentFile; onClose: () => void }) {
  const client = useQueryClient();
  const writing = useMutation(writeToStudent);
  return (
    <FormDialog
      title="Write an Email"
      isWide
      intro={<p>To <strong><EmailAddress address={student.email} /></strong>. It begins with a greeting by name and ends with the school’s address. Replies go to the school.</p>}
      schema={emailSchema}
      values={{ subject: '', body: '' }}
      fields={['subject', 'body']}
      idPrefix="write"
      submitLabel="Send"
      pendingLabel="Sending..."
      failed="The email could not be queued. Please try again."
      send={async (email) => {
        await writing.mutateAsync({ id: student.id, ...email });
        await client.invalidateQueries(studentFileQuery(student.id));
        showToast('Email queued', `To ${student.email}.`);
        onClose();
      }}
      onClose={onClose}
    >
      {({ register, field }) => (
        <>
          <Field {...field('subject')} label="Subject">
            {(control) => <input {...control} {...register('subject')} type="text" autoComplete="off" maxLength={150} dir="auto" />}
          </Field>
          <Field {...field('body')} label="Message">
            {(control) => <textarea {...control} {...register('body')} rows={8} maxLength={10000} dir="auto" />}
          </Field>
        </>
      )}
    </FormDialog>
  );
}
