// The publish dialog: lists the changes, takes a note for the history, and publishes.
import * as z from 'zod/mini';
import { ApiError } from '../api.ts';
import { Field } from '../components/Field.tsx';
import { FormDialog } from '../components/FormDialog.tsx';
import type { Steps } from './useSteps.ts';

const schema = z.object({ note: z.string().check(z.trim(), z.maxLength(200, 'Must be at most 200 characters')) });

type PublishDialogProps = { changes: readonly string[]; steps: Steps; onClose: () => void };

export function PublishDialog({ changes, steps, onClose }: PublishDialogProps) {
  return (
    <FormDialog
      title="Publish"
      intro={
        <>
          <p>Visitors will now see:</p>
          <ul className="ticks field">{changes.map((part) => <li key={part}>{part}</li>)}</ul>
        </>
      }
      schema={schema}
      values={{ note: '' }}
      fields={['note']}
      idPrefix="publish"
      submitLabel="Publish"
      pendingLabel="Publishing..."
      failed="It could not be published. Please try again."
      onFailure={(error) => {
        // Errors of the draft are shown on the page.
        const isOfPage = error instanceof ApiError && (error.status === 409 || Object.keys(error.fields).some((name) => name !== 'note'));
        if (!isOfPage) return;
        onClose();
        steps.report(error);
      }}
      send={async ({ note }) => {
        await steps.publish(note);
        onClose();
      }}
      onClose={onClose}
    >
      {({ register, field }) => (
        <Field {...field('note')} label="Note (optional)" hint="What is new and why, for the list of versions.">
          {(control) => <input {...control} {...register('note')} type="text" maxLength={200} autoComplete="off" dir="auto" />}
        </Field>
      )}
    </FormDialog>
  );
}
