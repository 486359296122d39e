// Records a payment: four fields and Enter. What it pays for is shown before, and can be edited.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { ApiError, failureWords } from '../../api.ts';
import type { ItemFees } from '../../api-types.ts';
import { Dialog } from '../../components/Dialog.tsx';
import { Form } from '../../components/Form.tsx';
import { showToast } from '../../components/toasts.ts';
import { useServerForm } from '../../components/useServerForm.ts';
import { useUnsavedChanges } from '../../components/useUnsavedChanges.tsx';
import { moneyText } from '../../money.ts';
import { newKey } from '../../once.ts';
import { useSchool } from '../../school/queries.ts';
import { DivisionFields } from './DivisionFields.tsx';
import { allocationsOf, amountToSend, divisionProblem, dueItems, itemField, keyOf, oldestFirst, type Parts, restText } from './division.ts';
import { moneyKeys, recordPayment } from '../moneyQueries.ts';
import { PaymentFields, paymentFields, paymentSchema, paymentValues } from './paymentForm.tsx';
import { todayIn } from '../words.ts';

type RecordPaymentProps = {
  /** `id` is null for a family whose application has no student yet: each payment names what it is for. */
  student: { id: number | null; name: string };
  /** What each enrollment and admission comes to. */
  items: readonly ItemFees[];
  onClose: () => void;
};

export function RecordPaymentDialog({ student, items, onClose }: RecordPaymentProps) {
  const client = useQueryClient();
  const today = todayIn(useSchool().timeZone);
  const recording = useMutation(recordPayment);
  const [key] = useState(newKey);
  const due = dueItems(items);
  /** Null: the oldest due first, as the server finds it. */
  const [edited, setEdited] = useState<Parts | null>(null);
  /** The payment that the server took for an earlier one: sent again unchanged, it is meant. */
  const [doubted, setDoubted] = useState('');
  const { form, register, field, failure, isDirty, isPending, summary, submit } = useServerForm({
    schema: paymentSchema,
    values: paymentValues('', today),
    fields: paymentFields,
    idPrefix: 'payment',
    send: async ({ amount: typed, method, reference, receivedOn, payerName, sendReceipt }) => {
      const problem = edited && divisionProblem(typed, edited, due);
      if (problem) throw new ApiError(400, JSON.stringify({ fields: { allocations: problem } }));
      const goesTo = student.id === null ? items[0] && itemField(keyOf(items[0])) : { studentId: student.id, ...(edited && { allocations: allocationsOf(edited) }) };
      const payment = { amount: amountToSend(typed), method, reference, receivedOn, payerName, sendReceipt, ...goesTo };
      const confirmDuplicate = JSON.stringify(payment) === doubted;
      try {
        const { receipt, unapplied } = await recording.mutateAsync({ key, payment: { ...payment, confirmDuplicate } });
        const rest = unapplied > 0 ? ` ${moneyText(unapplied, '')} stays on account.` : '';
        showToast('Payment recorded', `Receipt ${receipt.number}${sendReceipt ? ' is on its way' : ''}.${rest}`);
      } catch (error) {
        if (error instanceof ApiError && error.reason === 'possible_duplicate') setDoubted(JSON.stringify(payment));
        throw error;
      }
      onClose();
      for (const queryKey of moneyKeys) void client.invalidateQueries({ queryKey });
    },
  });
  const { setFocus, clearErrors } = form;
  function edit(parts: Parts | null) {
    clearErrors('allocations');
    setEdited(parts);
  }
  // The key that opened it is followed by the amount.
  useEffect(() => setFocus('amount'), [setFocus]);
  const { leave, question } = useUnsavedChanges((isDirty || edited !== null) && !isPending);
  // A request in flight cannot be cancelled.
  const close = () => !isPending && leave(onClose);
  const amount = form.watch('amount');
  const isDoubted = failure instanceof ApiError && failure.reason === 'possible_duplicate';
  const total = due.reduce((sum, item) => sum + item.due, 0);

  return (
    <Dialog title="Record Payment" onClose={close}>
      <p><strong dir="auto">{student.name}</strong><span>{total > 0 ? ` has ${moneyText(total, '')} to pay.` : ' has nothing to pay: what comes now stays on account.'}</span></p>
      <Form
        isPending={isPending}
        summary={summary}
        error={failure && failureWords(failure, 'The payment could not be recorded. Please try again: it is recorded once.')}
        submitLabel={isDoubted ? 'Record It Again' : 'Record Payment'}
        pendingLabel="Recording..."
        onSubmit={submit}
        onCancel={close}
      >
        <PaymentFields field={field} register={register} today={today} payer={student.name} />
        {student.id !== null && due.length > 0
          ? <DivisionFields {...field('allocations')} amount={amount} items={due} edited={edited} onEdit={edit} />
          : <p className="muted" role="status">{restText(amount, student.id === null ? oldestFirst(amount, items) : {})}</p>}
        <label className="tick"><input type="checkbox" {...register('sendReceipt')} /> Email the receipt</label>
      </Form>
      {question}
    </Dialog>
  );
}

