// Asks why a payment is reversed, and says what happens.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import * as z from 'zod/mini';
import { failureWords } from '../../api.ts';
import type { Payment } from '../../api-types.ts';
import { Dialog } from '../../components/Dialog.tsx';
import { Field } from '../../components/Field.tsx';
import { Form } from '../../components/Form.tsx';
import { showToast } from '../../components/toasts.ts';
import { useServerForm } from '../../components/useServerForm.ts';
import { useUnsavedChanges } from '../../components/useUnsavedChanges.tsx';
import { moneyText } from '../../money.ts';
import { newKey } from '../../once.ts';
import { moneyKeys, reversePayment } from '../moneyQueries.ts';

const schema = z.object({ reason: z.string().check(z.trim(), z.minLength(3, 'Say why it is reversed, in at least 3 characters')) });

export function ReversePaymentDialog({ payment: { id, amount, unapplied, receiptNumber }, onClose }: { payment: Payment; onClose: () => void }) {
  const client = useQueryClient();
  const reversing = useMutation(reversePayment);
  const [key] = useState(newKey);
  const { register, field, failure, isDirty, isPending, summary, submit } = useServerForm({
    schema,
    values: { reason: '' },
    fields: ['reason'],
    idPrefix: 'reverse',
    send: async ({ reason }) => {
      await reversing.mutateAsync({ key, id, reason });
      showToast('Payment reversed', `Receipt ${receiptNumber} is void.`);
      onClose();
      for (const queryKey of moneyKeys) void client.invalidateQueries({ queryKey });
    },
  });
  const { leave, question } = useUnsavedChanges(isDirty && !isPending);
  const close = () => !isPending && leave(onClose);
  return (
    <Dialog title={`Reverse the payment of ${moneyText(amount, '')}?`} onClose={close}>
      <p>{`${unapplied < amount ? 'What it paid for is due again' : 'The money is no longer on account'}, and receipt ${receiptNumber} is void. If the receipt was emailed, so is this, with the reason. It cannot be undone: record the payment again instead.`}</p>
      <Form
        isPending={isPending}
        summary={summary}
        error={failure && failureWords(failure, 'The payment could not be reversed. Please try again.')}
        submitLabel="Reverse Payment"
        pendingLabel="Reversing..."
        onSubmit={submit}
        onCancel={close}
      >
        <Field {...field('reason')} label="Reason" hint="Printed on the void receipt, which the student sees.">
          {(control) => <textarea {...control} {...register('reason')} rows={2} maxLength={500} dir="auto" />}
        </Field>
      </Form>
      {question}
    </Dialog>
  );
}
