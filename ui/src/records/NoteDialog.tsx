// The dialog that edits a note.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { failureWords } from '../api.ts';
import type { StudentNote } from '../api-types.ts';
import { Dialog } from '../components/Dialog.tsx';
import { Field } from '../components/Field.tsx';
import { Form } from '../components/Form.tsx';
import { useServerForm } from '../components/useServerForm.ts';
import { useUnsavedChanges } from '../components/useUnsavedChanges.tsx';
import { studentFileQuery } from '../enrollments/office/studentFile.ts';
import { changeNote } from './queries.ts';

const schema = z.object({ body: z.string().check(z.trim(), z.minLength(1, 'Enter the text of the note')) });

export function NoteDialog({ note, onClose }: { note: StudentNote; onClose: () => void }) {
  const client = useQueryClient();
  const changing = useMutation(changeNote);
  const { register, field, failure, isDirty, isPending, summary, submit } = useServerForm({
    schema,
    values: { body: note.body },
    fields: ['body'],
    idPrefix: 'note',
    send: async ({ body }) => {
      await changing.mutateAsync({ id: note.id, body });
      await client.invalidateQueries(studentFileQuery(note.studentId));
      onClose();
    },
  });
  const { leave, question } = useUnsavedChanges(isDirty && !isPending);
  return (
    <Dialog title="Edit Note" onClose={() => leave(onClose)}>
      <Form
        isPending={isPending}
        summary={summary}
        error={failure && failureWords(failure, 'The note could not be saved. Please try again.')}
        submitLabel="Save"
        pendingLabel="Saving..."
        onSubmit={submit}
        onCancel={() => leave(onClose)}
      >
        <Field {...field('body')} label="Note">
          {(control) => <textarea {...control} {...register('body')} rows={6} maxLength={4000} dir="auto" />}
        </Field>
      </Form>
      {question}
    </Dialog>
  );
}
