// The publish dialog: lists the changes, takes a note for the history, and publishes.
import * as z from 'zod/mini';
import { ApiError, failureWords } from '../api.ts';
import { Dialog } from '../components/Dialog.tsx';
import { Field } from '../components/Field.tsx';
import { Form } from '../components/Form.tsx';
import { useServerForm } from '../components/useServerForm.ts';
import { useUnsavedChanges } from '../components/useUnsavedChanges.tsx';
import type { Steps } from './useSteps.ts';

const schema = z.object({ note: z.string().check(z.trim(), z.maxLength(200, 'Must be at most 200 characters')) });

type PublishDialogProps = { changes: readonly string[]; steps: Steps; onClose: () => void };

export function PublishDialog({ changes, steps, onClose }: PublishDialogProps) {
  const { register, field, failure, isDirty, isPending, summary, submit } = useServerForm({
    schema,
    values: { note: '' },
    fields: ['note'],
    idPrefix: 'publish',
    send: async ({ note }) => {
      await steps.publish(note);
      onClose();
    },
    onFailure: (error) => {
      // Errors of the draft are shown on the page.
      const isOfPage = error instanceof ApiError && (error.status === 409 || Object.keys(error.fields).some((name) => name !== 'note'));
      if (!isOfPage) return;
      onClose();
      steps.report(error);
    },
  });
  const { leave, question } = useUnsavedChanges(isDirty && !isPending);
  return (
    <Dialog title="Publish" onClose={() => leave(onClose)}>
      <p>Visitors will now see:</p>
      <ul className="ticks field">{changes.map((part) => <li key={part}>{part}</li>)}</ul>
      <Form
        isPending={isPending}
        summary={summary}
        error={failure && failureWords(failure, 'It could not be published. Please try again.')}
        submitLabel="Publish"
        pendingLabel="Publishing..."
        onSubmit={submit}
        onCancel={() => leave(onClose)}
      >
        <Field {...field('note')} label="Note (optional)" hint="What is new and why, for the list of versions.">
          {(control) => <input {...control} {...register('note')} type="text" maxLength={200} autoComplete="off" dir="auto" />}
        </Field>
      </Form>
      {question}
    </Dialog>
  );
}
