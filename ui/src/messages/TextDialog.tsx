// A text about a message: what the visitor answered, or a note.
import * as z from 'zod/mini';
import { failureWords } from '../api.ts';
import type { MessageThread } from '../api-types.ts';
import { Dialog } from '../components/Dialog.tsx';
import { Field } from '../components/Field.tsx';
import { Form } from '../components/Form.tsx';
import { useServerForm } from '../components/useServerForm.ts';
import { useUnsavedChanges } from '../components/useUnsavedChanges.tsx';
import { addText, type TextKind } from './queries.ts';

const kinds = {
  answers: {
    title: 'They Answered',
    label: 'Their answer',
    hint: 'By telephone, or by email to the school. The message is open again; no email is sent.',
    missing: 'Write what they answered',
    max: 10_000,
  },
  notes: { title: 'Add a Note', label: 'Note', hint: 'Visitors never see it.', missing: 'Enter the text of the note', max: 4000 },
} as const;

type TextDialogProps = { id: number; kind: TextKind; onSaved: (thread: MessageThread) => void; onClose: () => void };

export function TextDialog({ id, kind, onSaved, onClose }: TextDialogProps) {
  const { title, label, hint, missing, max } = kinds[kind];
  const { register, field, failure, isDirty, isPending, summary, submit } = useServerForm({
    schema: z.object({ body: z.string().check(z.trim(), z.minLength(1, missing)) }),
    values: { body: '' },
    fields: ['body'],
    idPrefix: kind,
    send: async ({ body }) => {
      onSaved(await addText(id, kind, body));
      onClose();
    },
  });
  const { leave, question } = useUnsavedChanges(isDirty && !isPending);
  return (
    <Dialog title={title} onClose={() => leave(onClose)}>
      <Form
        isPending={isPending}
        summary={summary}
        error={failure && failureWords(failure, 'It could not be saved. Please try again.')}
        submitLabel="Save"
        pendingLabel="Saving..."
        onSubmit={submit}
        onCancel={() => leave(onClose)}
      >
        <Field {...field('body')} label={label} hint={hint}>
          {(control) => <textarea {...control} {...register('body')} rows={5} maxLength={max} dir="auto" />}
        </Field>
      </Form>
      {question}
    </Dialog>
  );
}
