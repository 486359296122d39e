// The dialog that charges an enrollment approved without a price.
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, failureWords } from '../api.ts';
import type { UnpricedEnrollment } from '../api-types.ts';
import { Field } from '../components/Field.tsx';
import { FormDialog } from '../components/FormDialog.tsx';
import { showToast } from '../components/toasts.ts';
import type { Decision } from '../components/useStableRows.ts';
import { dateText } from '../dates.ts';
import { moneyText } from '../money.ts';
import { newKey } from '../once.ts';
import { amountOf, chargeSchema, usualCharge } from './charge.ts';
import { postCharges } from './queries.ts';

type ChargeDialogProps = { enrollment: UnpricedEnrollment; onCharged: (decision: Decision) => void; onClose: () => void };

export function ChargeDialog({ enrollment, onCharged, onClose }: ChargeDialogProps) {
  const { id, student_name, course_name, course_code, current_fee, usual_due_on } = enrollment;
  const posting = useMutation(postCharges);
  const [key, setKey] = useState(newKey);
  return (
    <FormDialog
      title="Post Charge"
      intro={
        <p>
          <strong dir="auto">{student_name}</strong> was approved for <strong dir="auto">{course_name}</strong><span>{` (${course_code}) without a price. The charge is added to the fees due, and the student gets an email.`}</span>
        </p>
      }
      schema={chargeSchema}
      values={usualCharge(enrollment)}
      fields={['amount', 'dueOn']}
      idPrefix="charge-form"
      submitLabel="Post Charge"
      pendingLabel="Posting..."
      failed={words}
      failureTitle="Failed to post the charge"
      onFailure={(error) => {
        if (isOver(error)) onCharged({ status: 'Not charged', words: 'Already charged or ended' });
      }}
      send={async (values) => {
        const [amount, dueOn] = [amountOf(values), values.dueOn];
        const { results: [result] } = await posting.mutateAsync({ key, rows: [{ enrollmentId: id, amount, dueOn }] });
        if (result && !result.ok) {
          // That was the answer to this key: what is sent next is another charge.
          setKey(newKey());
          // The form checks the amount; the range of dates is the server's.
          const fields = result.status === 400 ? { dueOn: result.message } : {};
          throw new ApiError(result.status ?? 409, JSON.stringify({ message: result.message, fields }));
        }
        showToast('Charge posted', `${moneyText(amount, '')}, due ${dateText(dueOn, dueOn)}. The student gets an email.`);
        onCharged({ status: `${moneyText(amount, '')} charged`, words: null });
      }}
      onClose={onClose}
    >
      {({ register, field }) => (
        <div className="grid field-pair">
          <Field {...field('amount')} label="Amount" hint={priceHint(current_fee)}>
            {(control) => <input {...control} {...register('amount')} type="text" inputMode="decimal" autoComplete="off" />}
          </Field>
          <Field {...field('dueOn')} label="Due date" hint={`Usually ${dateText(usual_due_on, usual_due_on)}.`}>
            {(control) => <input {...control} {...register('dueOn')} type="date" />}
          </Field>
        </div>
      )}
    </FormDialog>
  );
}

function priceHint(price: UnpricedEnrollment['current_fee']): string {
  if (typeof price !== 'number') return 'The course has no price today.';
  return `The course costs ${moneyText(price, '')} today.`;
}

/** Nothing is left to charge: a colleague did it, or the enrollment is no longer active. */
function isOver(error: Error): boolean {
  return error instanceof ApiError && (error.status === 409 || error.status === 404);
}

function words(error: Error): string {
  return isOver(error)
    ? 'A colleague has already charged this enrollment, or it is no longer active. Nothing was charged.'
    : failureWords(error, 'The charge could not be posted. Please try again.');
}
