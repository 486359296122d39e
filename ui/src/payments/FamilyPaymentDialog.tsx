// Records one payment of a family, divided among its children: by what each owes, until a part is edited.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import * as z from 'zod/mini';
import { ApiError, failureWords } from '../api.ts';
import type { PaymentMethod } from '../api-types.ts';
import { optionsOf, wordsOf } from '../closedSets.ts';
import { Dialog } from '../components/Dialog.tsx';
import { Field } from '../components/Field.tsx';
import { Form } from '../components/Form.tsx';
import { showToast } from '../components/toasts.ts';
import { useServerForm } from '../components/useServerForm.ts';
import { useUnsavedChanges } from '../components/useUnsavedChanges.tsx';
import { moneyText } from '../money.ts';
import { newKey, postOnce } from '../once.ts';
import { useSchool } from '../school/queries.ts';
import { amountToSend, centsOf } from './division.ts';
import { type Child, divideByDue, divisionOf, shareProblem } from './familyDivision.ts';
import { moneyKeys } from './moneyQueries.ts';
import { methods, todayIn } from './words.ts';
import './DivisionFields.css';

const schema = z.object({
  amount: z.string().check(z.trim(), z.minLength(1, 'Amount is required')),
  method: z.enum(wordsOf(methods) as [PaymentMethod, ...PaymentMethod[]]),
  reference: z.string(),
  receivedOn: z.string().check(z.minLength(1, 'Say when it was received')),
  /** Of the server's messages alone. */
  parts: z.string(),
  payerName: z.string(),
  sendReceipt: z.boolean(),
});

export function FamilyPaymentDialog({ kin, onClose }: { kin: readonly Child[]; onClose: () => void }) {
  const client = useQueryClient();
  const { timeZone } = useSchool();
  const [key] = useState(newKey);
  /** Null: by what each owes. */
  const [edited, setEdited] = useState<Record<number, string> | null>(null);
  const [doubted, setDoubted] = useState('');
  const recording = useMutation({ mutationFn: (body: Parameters<typeof postOnce<'/api/admin/payments/divided'>>[2]) => postOnce(key, '/api/admin/payments/divided', body) });
  const total = kin.reduce((sum, { due }) => sum + due, 0);
  const { form, register, field, failure, isDirty, isPending, summary, submit } = useServerForm({
    schema,
    values: {
      amount: total > 0 ? total.toFixed(2) : '', method: 'e_transfer' as PaymentMethod, reference: '', receivedOn: todayIn(timeZone),
      parts: '', payerName: '', sendReceipt: true,
    },
    fields: ['amount', 'method', 'reference', 'receivedOn', 'payerName', 'parts', 'sendReceipt'],
    idPrefix: 'family-payment',
    send: async ({ amount, method, reference, receivedOn, payerName, sendReceipt }) => {
      const shares = edited ?? divideByDue(amount, kin);
      const problem = shareProblem(amount, shares, kin);
      if (problem) throw new ApiError(400, JSON.stringify({ fields: { parts: problem } }));
      const parts = divisionOf(shares).map(({ studentId, amount: share }) => ({ studentId, amount: amountToSend(share) }));
      const body = { parts, method, reference, receivedOn, payerName, sendReceipt };
      const confirmDuplicate = JSON.stringify(body) === doubted;
      try {
        const { payments } = await recording.mutateAsync({ ...body, confirmDuplicate });
        showToast('Payment recorded', `Receipts ${payments.map(({ receipt }) => receipt.number).join(', ')}.`);
      } catch (error) {
        if (error instanceof ApiError && error.reason === 'possible_duplicate') setDoubted(JSON.stringify(body));
        throw error;
      }
      onClose();
      for (const queryKey of moneyKeys) void client.invalidateQueries({ queryKey });
    },
  });
  const { setFocus, clearErrors } = form;
  useEffect(() => setFocus('amount'), [setFocus]);
  const { leave, question } = useUnsavedChanges((isDirty || edited !== null) && !isPending);
  const close = () => !isPending && leave(onClose);
  const amount = form.watch('amount');
  const shares = edited ?? divideByDue(amount, kin);
  const parts = field('parts');
  const problem = centsOf(amount) ? shareProblem(amount, shares, kin) : null;
  const edit = (next: Record<number, string> | null) => {
    clearErrors('parts');
    setEdited(next);
  };
  return (
    <Dialog title="Record One Payment of the Family" isWide onClose={close}>
      <p>{total > 0 ? `${moneyText(total, '')} to pay in all. Each child gets a payment and a receipt.` : 'Nothing to pay: what comes now stays on account.'}</p>
      <Form
        isPending={isPending}
        summary={summary}
        error={failure && failureWords(failure, 'The payment could not be recorded. Please try again: it is recorded once.')}
        submitLabel={failure instanceof ApiError && failure.reason === 'possible_duplicate' ? 'Record It Again' : 'Record Payment'}
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
            {(control) => <input {...control} {...register('payerName')} type="text" maxLength={200} autoComplete="off" dir="auto" />}
          </Field>
        </div>
        <fieldset id={parts.id} tabIndex={-1} className="division" aria-describedby={`${parts.id}-rest`}>
          <legend>Divided Among</legend>
          <ul className="rows bare">
            {kin.map(({ studentId, studentName, due }) => (
              <li className="row" key={studentId}>
                <label htmlFor={`${parts.id}-${studentId}`}><bdi>{studentName}</bdi><small>{`${moneyText(due, '')} to pay`}</small></label>
                <input id={`${parts.id}-${studentId}`} type="text" inputMode="decimal" autoComplete="off" placeholder="0.00" value={shares[studentId] ?? ''} onChange={(event) => edit({ ...shares, [studentId]: event.target.value })} />
              </li>
            ))}
          </ul>
          <div className="row" id={`${parts.id}-rest`}>
            <p role="status">{problem ?? parts.error ? <strong className="field-error">{problem ?? parts.error}</strong> : 'Each part pays the oldest due first; the rest of it stays on account.'}</p>
            {edited && <button type="button" className="button button-quiet" onClick={() => edit(null)}>By What Each Owes</button>}
          </div>
        </fieldset>
        <label className="tick"><input type="checkbox" {...register('sendReceipt')} /> Email the receipts</label>
      </Form>
      {question}
    </Dialog>
  );
}
