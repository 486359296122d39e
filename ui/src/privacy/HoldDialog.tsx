// Holds a record back from deletion for a reason, until it is released: a dispute, an audit, a court order.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { failureWords } from '../api.ts';
import { Dialog } from '../components/Dialog.tsx';
import { Field } from '../components/Field.tsx';
import { Form } from '../components/Form.tsx';
import { showToast } from '../components/toasts.ts';
import { useServerForm } from '../components/useServerForm.ts';
import { useUnsavedChanges } from '../components/useUnsavedChanges.tsx';
import { holdProposal, privacyKey } from './queries.ts';

const schema = z.object({ reason: z.string().check(z.trim(), z.minLength(3, 'Please say why it is kept'), z.maxLength(500, 'Must be at most 500 characters')) });

export function HoldDialog({ id, about, onClose }: { id: number; about: string; onClose: () => void }) {
  const client = useQueryClient();
  const holding = useMutation(holdProposal);
  const { register, field, failure, isDirty, isPending, summary, submit } = useServerForm({
    schema,
    values: { reason: '' },
    fields: ['reason'],
    idPrefix: 'hold',
    send: async ({ reason }) => {
      await holding.mutateAsync({ id, reason });
      await client.invalidateQueries({ queryKey: privacyKey });
      showToast('Hold placed', 'The record is kept until you release it.');
      onClose();
    },
  });
  const { leave, question } = useUnsavedChanges(isDirty && !isPending);
  return (
    <Dialog title="Keep This Record" onClose={() => leave(onClose)}>
      <p><bdi>{about}</bdi> is kept, whatever its age, until you release it.</p>
      <Form
        isPending={isPending}
        summary={summary}
        error={failure && failureWords(failure, 'It could not be held. Please try again.')}
        submitLabel="Hold"
        pendingLabel="Saving..."
        onSubmit={submit}
        onCancel={() => leave(onClose)}
      >
        <Field {...field('reason')} label="Reason">
          {(control) => <textarea {...control} {...register('reason')} rows={3} maxLength={500} dir="auto" />}
        </Field>
      </Form>
      {question}
    </Dialog>
  );
}
