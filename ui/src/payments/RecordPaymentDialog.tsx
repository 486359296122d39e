// Records a payment: four fields and Enter. What it pays for is shown before, and can be edited.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import * as z from 'zod/mini';
import { ApiError, failureWords } from '../api.ts';
import type { ItemFees, PaymentMethod } from '../api-types.ts';
import { optionsOf, wordsOf } from '../closedSets.ts';
import { Dialog } from '../components/Dialog.tsx';
import { Field } from '../components/Field.tsx';
import { Form } from '../components/Form.tsx';
import { showToast } from '../components/toasts.ts';
import { useServerForm } from '../components/useServerForm.ts';
import { useUnsavedChanges } from '../components/useUnsavedChanges.tsx';
import { moneyText } from '../money.ts';
import { newKey } from '../once.ts';
import { useSchool } from '../school/queries.ts';
import { DivisionFields } from './DivisionFields.tsx';
import { allocationsOf, amountToSend, divisionProblem, dueItems, itemField, keyOf, oldestFirst, type Parts, restText } from './division.ts';
import { moneyKeys, recordPayment } from './moneyQueries.ts';
import { methods, todayIn } from './words.ts';

const schema = z.object({
  // The server reads amounts as people type them, and asks back what may mean two things.
  amount: z.string().check(z.trim(), z.minLength(1, 'Amount is required')),
  method: z.enum(wordsOf(methods) as [PaymentMethod, ...PaymentMethod[]]),
  reference: z.string(),
  receivedOn: z.string().check(z.minLength(1, 'Say when it was received')),
  /** Of the server's messages alone: the parts are a state beside the form. */
  allocations: z.string(),
  payerName: z.string(),
  sendReceipt: z.boolean(),
});

type RecordPaymentProps = {
  /** `id` is null for a family whose application has no student yet: each payment names what it is for. */
  student: { id: number | null; name: string };
  /** What each enrollment and admission comes to. */
  items: readonly ItemFees[];
  onClose: () => void;
};

export function RecordPaymentDialog({ student, items, onClose }: RecordPaymentProps) {
  const client = useQueryClient();
  const { timeZone } = useSchool();
  const recording = useMutation(recordPayment);
  const [key] = useState(newKey);
  const due = dueItems(items);
  /** Null: the oldest due first, as the server finds it. */
  const [edited, setEdited] = useState<Parts | null>(null);
  /** The payment that the server took for an earlier one: sent again unchanged, it is meant. */
  const [doubted, setDoubted] = useState('');
  const { form, register, field, failure, isDirty, isPending, summary, submit } = useServerForm({
    schema,
    values: {
      amount: '', method: 'e_transfer' as PaymentMethod, reference: '', receivedOn: todayIn(timeZone),
      allocations: '', payerName: '', sendReceipt: true,
    },
    fields: ['amount', 'method', 'reference', 'receivedOn', 'payerName', 'allocations', 'sendReceipt'],
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
        <div className="grid field-pair">
          <Field {...field('amount')} label="Amount">
            {(control) => <input {...control} {...register('amount')} type="text" inputMode="decimal" autoComplete="off" />}
          </Field>
          <Field {...field('method')} label="Method">
            {(control) => <select {...control} {...register('method')}>{optionsOf(methods).map(({ value, label }) => <option key={value} value={value}>{label}</option>)}</select>}
          </Field>
          <Field {...field('reference')} label="Reference (optional)">
            {(control) => <input {...control} {...register('reference')} type="text" maxLength={200} autoComplete="off" dir="auto" />}
          </Field>
          <Field {...field('receivedOn')} label="Received on">
            {(control) => <input {...control} {...register('receivedOn')} type="date" max={todayIn(timeZone)} />}
          </Field>
          <Field {...field('payerName')} label="Paid by (optional)">
            {(control) => <input {...control} {...register('payerName')} type="text" maxLength={200} autoComplete="off" dir="auto" placeholder={student.name} />}
          </Field>
        </div>
        {student.id !== null && due.length > 0
          ? <DivisionFields {...field('allocations')} amount={amount} items={due} edited={edited} onEdit={edit} />
          : <p className="muted" role="status">{restText(amount, student.id === null ? oldestFirst(amount, items) : {})}</p>}
        <label className="tick"><input type="checkbox" {...register('sendReceipt')} /> Email the receipt</label>
      </Form>
      {question}
    </Dialog>
  );
}

