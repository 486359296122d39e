// Sets money on account aside for something, until a day on which the office looks at it again.
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import * as z from 'zod/mini';
import { Field } from '../../components/Field.tsx';
import { FormDialog } from '../../components/FormDialog.tsx';
import { showToast } from '../../components/toasts.ts';
import { dateText } from '../../dates.ts';
import { moneyText } from '../../money.ts';
import { newKey, postOnce } from '../../once.ts';
import { useSchool } from '../../school/queries.ts';
import { amountToSend } from '../payments/division.ts';
import { moneyKeys } from '../moneyQueries.ts';
import { todayIn } from '../words.ts';

const schema = z.object({
  amount: z.string().check(z.trim(), z.minLength(1, 'Amount is required')),
  heldFor: z.string().check(z.trim(), z.minLength(3, 'Say what for, in at least 3 characters')),
  until: z.string().check(z.minLength(1, 'Say on which day the office looks at it again')),
});

type HoldDialogProps = { student: { id: number; name: string }; unapplied: number; onClose: () => void };

export function HoldDialog({ student, unapplied, onClose }: HoldDialogProps) {
  const client = useQueryClient();
  const [key] = useState(newKey);
  const today = todayIn(useSchool().timeZone);
  return (
    <FormDialog
      title="Set Money Aside"
      intro={<p><strong dir="auto">{student.name}</strong><span>{` has ${moneyText(unapplied, '')} on account. What is set aside covers nothing that is due: it is overdue, and the family is reminded.`}</span></p>}
      schema={schema}
      values={{ amount: unapplied.toFixed(2), heldFor: '', until: '' }}
      fields={['amount', 'heldFor', 'until']}
      idPrefix="hold"
      submitLabel="Set Aside"
      failed="It could not be set aside. Please try again."
      send={async ({ amount, heldFor, until }) => {
        await postOnce(key, `/api/admin/students/${student.id}/hold`, { amount: amountToSend(amount), heldFor, until });
        showToast('Set aside', `It waits until ${dateText(until, '')}, and covers nothing that is due.`);
        onClose();
        for (const queryKey of moneyKeys) void client.invalidateQueries({ queryKey });
      }}
      onClose={onClose}
    >
      {({ register, field }) => (
        <>
          <div className="grid field-pair">
            <Field {...field('amount')} label="Amount">
              {(control) => <input {...control} {...register('amount')} type="text" inputMode="decimal" autoComplete="off" />}
            </Field>
            <Field {...field('until')} label="Look at it again on">
              {(control) => <input {...control} {...register('until')} type="date" min={today} />}
            </Field>
          </div>
          <Field {...field('heldFor')} label="What for" hint="Only the office reads it.">
            {(control) => <input {...control} {...register('heldFor')} type="text" maxLength={500} dir="auto" autoComplete="off" />}
          </Field>
        </>
      )}
    </FormDialog>
  );
}
