// Moves a part of a payment from one course to another of the same student.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import * as z from 'zod/mini';
import type { ItemFees, Payment } from '../../api-types.ts';
import { Field } from '../../components/Field.tsx';
import { FormDialog } from '../../components/FormDialog.tsx';
import { showToast } from '../../components/toasts.ts';
import { moneyText } from '../../money.ts';
import { newKey } from '../../once.ts';
import { amountToSend } from './division.ts';
import type { PaidPart } from './moving.ts';
import { moneyKeys, movePayment } from '../moneyQueries.ts';

const schema = z.object({
  fromEnrollmentId: z.string(),
  toEnrollmentId: z.string(),
  amount: z.string().check(z.trim(), z.minLength(1, 'Amount is required')),
});

type MovePaymentProps = { payment: Payment; parts: readonly PaidPart[]; items: readonly ItemFees[]; onClose: () => void };

export function MovePaymentDialog({ payment, parts, items, onClose }: MovePaymentProps) {
  const client = useQueryClient();
  const moving = useMutation(movePayment);
  const [key] = useState(newKey);
  const targets = items.filter(({ enrollmentId, due }) => enrollmentId !== null && due > 0);
  const others = (from: string) => targets.filter(({ enrollmentId }) => String(enrollmentId) !== from);
  /** As much as is paid there and due here. */
  const most = (from: string, to: string) => {
    const paid = parts.find(({ enrollmentId }) => String(enrollmentId) === from)?.amount ?? 0;
    const due = targets.find(({ enrollmentId }) => String(enrollmentId) === to)?.due ?? 0;
    return Math.min(paid, due).toFixed(2);
  };
  const sources = parts.filter(({ enrollmentId }) => others(String(enrollmentId)).length > 0);
  const from = String(sources[0]?.enrollmentId ?? '');
  const to = String(others(from)[0]?.enrollmentId ?? '');
  return (
    <FormDialog
      title="Move a Payment"
      intro={<p>{`${moneyText(payment.amount, '')}, receipt ${payment.receiptNumber}. What is moved is due again where it was paid; the receipt stays as it is.`}</p>}
      schema={schema}
      values={{ fromEnrollmentId: from, toEnrollmentId: to, amount: most(from, to) }}
      fields={['fromEnrollmentId', 'toEnrollmentId', 'amount']}
      idPrefix="move"
      submitLabel="Move Payment"
      pendingLabel="Moving..."
      failed="The payment could not be moved. Please try again: it is moved once."
      send={async ({ fromEnrollmentId, toEnrollmentId, amount }) => {
        const body = { fromEnrollmentId: Number(fromEnrollmentId), toEnrollmentId: Number(toEnrollmentId), amount: amountToSend(amount) };
        await moving.mutateAsync({ key, id: payment.id, body });
        showToast('Payment moved', `Receipt ${payment.receiptNumber} stays as it is.`);
        onClose();
        for (const queryKey of moneyKeys) void client.invalidateQueries({ queryKey });
      }}
      onClose={onClose}
    >
      {({ form, register, field }) => {
        const [chosenFrom] = form.watch(['fromEnrollmentId']);

        function choose(name: 'fromEnrollmentId' | 'toEnrollmentId', value: string) {
          form.setValue(name, value, { shouldDirty: true });
          let { fromEnrollmentId, toEnrollmentId } = form.getValues();
          if (!others(fromEnrollmentId).some(({ enrollmentId }) => String(enrollmentId) === toEnrollmentId)) {
            toEnrollmentId = String(others(fromEnrollmentId)[0]?.enrollmentId ?? '');
            form.setValue('toEnrollmentId', toEnrollmentId);
          }
          form.setValue('amount', most(fromEnrollmentId, toEnrollmentId));
        }
        return (
          <>
            <Field {...field('fromEnrollmentId')} label="From">
              {(control) => (
                <select {...control} {...register('fromEnrollmentId')} onChange={(event) => choose('fromEnrollmentId', event.target.value)}>
                  {sources.map(({ enrollmentId, for: label, amount }) => <option key={enrollmentId} value={enrollmentId}>{`${label}: pays ${moneyText(amount, '')}`}</option>)}
                </select>
              )}
            </Field>
            <Field {...field('toEnrollmentId')} label="To">
              {(control) => (
                <select {...control} {...register('toEnrollmentId')} onChange={(event) => choose('toEnrollmentId', event.target.value)}>
                  {others(chosenFrom).map(({ enrollmentId, for: label, due }) => <option key={enrollmentId} value={enrollmentId ?? ''}>{`${label}: ${moneyText(due, '')} due`}</option>)}
                </select>
              )}
            </Field>
            <Field {...field('amount')} label="Amount">
              {(control) => <input {...control} {...register('amount')} type="text" inputMode="decimal" autoComplete="off" />}
            </Field>
          </>
        );
      }}
    </FormDialog>
  );
}
