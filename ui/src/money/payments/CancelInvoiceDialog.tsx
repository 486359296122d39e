// Asks why an invoice is cancelled, and says what happens.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { flushSync } from 'react-dom';
import * as z from 'zod/mini';
import { failureWords } from '../../api.ts';
import type { Invoice } from '../../api-types.ts';
import { Dialog } from '../../components/Dialog.tsx';
import { Field } from '../../components/Field.tsx';
import { Form } from '../../components/Form.tsx';
import { showToast } from '../../components/toasts.ts';
import { useServerForm } from '../../components/useServerForm.ts';
import { useUnsavedChanges } from '../../components/useUnsavedChanges.tsx';
import { newKey } from '../../once.ts';
import { cancelInvoice } from './invoices.ts';
import { moneyKey } from '../moneyQueries.ts';

const schema = z.object({ reason: z.string().check(z.trim(), z.minLength(3, 'Say why it is cancelled, in at least 3 characters')) });

export function CancelInvoiceDialog({ invoice: { number, sentAt }, onClose }: { invoice: Invoice; onClose: () => void }) {
  const client = useQueryClient();
  const [key] = useState(newKey);
  const cancelling = useMutation({ mutationFn: (reason: string) => cancelInvoice(key, number, reason) });
  const { register, field, failure, isDirty, isPending, summary, submit } = useServerForm({
    schema,
    values: { reason: '' },
    fields: ['reason'],
    idPrefix: 'cancel-invoice',
    send: async ({ reason }) => {
      const { creditNoteNumber } = await cancelling.mutateAsync(reason);
      showToast('Invoice cancelled', `With credit note ${creditNoteNumber}.`);
      flushSync(onClose);
      // The row has no more actions.
      document.getElementById('invoices')?.focus();
      void client.invalidateQueries({ queryKey: moneyKey });
    },
  });
  const { leave, question } = useUnsavedChanges(isDirty && !isPending);
  const close = () => !isPending && leave(onClose);
  return (
    <Dialog title={`Cancel invoice ${number}?`} onClose={close}>
      <p>{`A credit note cancels it, and what was on it can be invoiced again. Balances don’t change.${sentAt ? ' The student gets an email with the credit note.' : ''}`}</p>
      <Form
        isPending={isPending}
        summary={summary}
        error={failure && failureWords(failure, 'The invoice could not be cancelled. Please try again.')}
        submitLabel="Cancel Invoice"
        pendingLabel="Cancelling..."
        onSubmit={submit}
        onCancel={close}
      >
        <Field {...field('reason')} label="Reason" hint="Printed on the credit note, which the student sees.">
          {(control) => <textarea {...control} {...register('reason')} rows={2} maxLength={500} dir="auto" />}
        </Field>
      </Form>
      {question}
    </Dialog>
  );
}
