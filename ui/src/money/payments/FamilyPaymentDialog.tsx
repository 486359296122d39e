// Records one payment of a family, divided among its children: by what each owes, until a part is edited.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { ApiError, failureWords } from '../../api.ts';
import { Dialog } from '../../components/Dialog.tsx';
import { Form } from '../../components/Form.tsx';
import { showToast } from '../../components/toasts.ts';
import { useServerForm } from '../../components/useServerForm.ts';
import { useUnsavedChanges } from '../../components/useUnsavedChanges.tsx';
import { moneyText } from '../../money.ts';
import { newKey, postOnce } from '../../once.ts';
import { useSchool } from '../../school/queries.ts';
import { amountToSend, centsOf } from './division.ts';
import { type Child, divideByDue, divisionOf, shareProblem } from './familyDivision.ts';
import { moneyKeys } from '../moneyQueries.ts';
import { PaymentFields, paymentFields, paymentSchema, paymentValues } from './paymentForm.tsx';
import { todayIn } from '../words.ts';
import './DivisionFields.css';

export function FamilyPaymentDialog({ kin, onClose }: { kin: readonly Child[]; onClose: () => void }) {
  const client = useQueryClient();
  const today = todayIn(useSchool().timeZone);
  const [key] = useState(newKey);
  /** Null: by what each owes. */
  const [edited, setEdited] = useState<Record<number, string> | null>(null);
  const [doubted, setDoubted] = useState('');
  const recording = useMutation({ mutationFn: (body: Parameters<typeof postOnce<'/api/admin/payments/divided'>>[2]) => postOnce(key, '/api/admin/payments/divided', body) });
  const total = kin.reduce((sum, { due }) => sum + due, 0);
  const { form, register, field, failure, isDirty, isPending, summary, submit } = useServerForm({
    schema: paymentSchema,
    values: paymentValues(total > 0 ? total.toFixed(2) : '', today),
    fields: paymentFields,
    idPrefix: 'family-payment',
    send: async ({ amount, method, reference, receivedOn, payerName, sendReceipt }) => {
      const shares = edited ?? divideByDue(amount, kin);
      const problem = shareProblem(amount, shares, kin);
      if (problem) throw new ApiError(400, JSON.stringify({ fields: { allocations: problem } }));
      const allocations = divisionOf(shares).map(({ studentId, amount: share }) => ({ studentId, amount: amountToSend(share) }));
      const body = { allocations, method, reference, receivedOn, payerName, sendReceipt };
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
  const parts = field('allocations');
  const problem = centsOf(amount) ? shareProblem(amount, shares, kin) : null;
  const edit = (next: Record<number, string> | null) => {
    clearErrors('allocations');
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
        <PaymentFields field={field} register={register} today={today} payer={''} />
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
