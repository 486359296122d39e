// Confirms a deletion of due records: lists some of them, and asks for their number to be typed.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { failureWords } from '../api.ts';
import type { ProposedClass } from '../api-types.ts';
import { Dialog } from '../components/Dialog.tsx';
import { Field } from '../components/Field.tsx';
import { Form } from '../components/Form.tsx';
import { showToast } from '../components/toasts.ts';
import { useServerForm } from '../components/useServerForm.ts';
import { confirmDeletion, privacyKey } from './queries.ts';
import { retentionClasses } from './words.ts';

/** What the deletion leaves. */
const leaves = {
  documents: 'Their files are deleted a day later. Copies in the backups follow as the backups are thinned.',
  profile: 'Address, phone, parents and the office’s notes are cleared, in the history too. Name, birth date, marks and charges stay.',
  messages: 'The messages and the consents given with them are deleted.',
  admission_requests: 'The requests are deleted.',
  breaches: 'The entries of the breach book are deleted.',
  marks: '',
  ledger: '',
} satisfies Record<ProposedClass['class'], string>;

export function ConfirmDeletionDialog({ proposed, onClose }: { proposed: ProposedClass; onClose: () => void }) {
  const client = useQueryClient();
  const confirming = useMutation(confirmDeletion);
  const { class: of, count, sample } = proposed;
  const schema = z.object({
    count: z.string().check(z.refine((typed) => Number(typed.trim()) === count && typed.trim() !== '', `Type ${count} to continue`)),
  });
  const { register, field, failure, isPending, summary, submit } = useServerForm({
    schema,
    values: { count: '' },
    fields: ['count'],
    idPrefix: 'confirm-deletion',
    send: async () => {
      const { deleted } = await confirming.mutateAsync({ of, count });
      await client.invalidateQueries({ queryKey: privacyKey });
      showToast(`${deleted} deleted`, deleted < count ? 'The others are no longer due.' : null);
      onClose();
    },
  });
  return (
    <Dialog title={`Delete ${count.toLocaleString('en-CA')}: ${retentionClasses[of]}`} onClose={onClose}>
      <p><span>{`${leaves[of]} `}</span><strong>This cannot be undone.</strong></p>
      <p dir="auto">{`${count > 5 ? 'Among them' : 'These'}: ${sample.slice(0, 5).map(({ id, about }) => about ?? `#${id}`).join('; ')}.`}</p>
      <Form
        isPending={isPending}
        summary={summary}
        error={failure && failureWords(failure, 'Nothing was deleted. Please try again.')}
        submitLabel="Delete"
        pendingLabel="Deleting..."
        onSubmit={submit}
        onCancel={onClose}
      >
        <Field {...field('count')} label="How many?" hint={`Type ${count} to confirm that you mean all of them.`}>
          {(control) => <input {...control} {...register('count')} type="text" inputMode="numeric" autoComplete="off" />}
        </Field>
      </Form>
    </Dialog>
  );
}
