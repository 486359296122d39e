// The fields of a payment, whether one student's or a family's.
import * as z from 'zod/mini';
import type { PaymentMethod } from '../../api-types.ts';
import { optionsOf, wordsOf } from '../../closedSets.ts';
import { Field } from '../../components/Field.tsx';
import type { useServerForm } from '../../components/useServerForm.ts';
import { methods } from '../words.ts';

export const paymentSchema = z.object({
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

export type PaymentValues = z.infer<typeof paymentSchema>;

export const paymentFields = ['amount', 'method', 'reference', 'receivedOn', 'payerName', 'allocations', 'sendReceipt'] as const;

export const paymentValues = (amount: string, today: string): PaymentValues => ({
  amount, method: 'e_transfer', reference: '', receivedOn: today, allocations: '', payerName: '', sendReceipt: true,
});

type PaymentFieldsProps = Pick<ReturnType<typeof useServerForm<PaymentValues>>, 'field' | 'register'> & { today: string; payer: string };

/** `payer` is who paid unless another is named. */
export function PaymentFields({ field, register, today, payer }: PaymentFieldsProps) {
  return (
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
        {(control) => <input {...control} {...register('receivedOn')} type="date" max={today} />}
      </Field>
      <Field {...field('payerName')} label="Paid by (optional)">
        {(control) => <input {...control} {...register('payerName')} type="text" maxLength={200} autoComplete="off" dir="auto" placeholder={payer} />}
      </Field>
    </div>
  );
}
