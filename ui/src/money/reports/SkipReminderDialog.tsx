// Asks why the next reminder of a student is skipped.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import * as z from 'zod/mini';
import { failureWords } from '../../api.ts';
import type { ReminderRow } from '../../api-types.ts';
import { Dialog } from '../../components/Dialog.tsx';
import { Field } from '../../components/Field.tsx';
import { Form } from '../../components/Form.tsx';
import { showToast } from '../../components/toasts.ts';
import { useServerForm } from '../../components/useServerForm.ts';
import { useUnsavedChanges } from '../../components/useUnsavedChanges.tsx';
import { dateText } from '../../dates.ts';
import { newKey } from '../../once.ts';
import { moneyKeys, skipReminder } from '../moneyQueries.ts';

const schema = z.object({ reason: z.string().check(z.trim(), z.minLength(3, 'Say why, in at least 3 characters')) });

type SkipReminderDialogProps = { student: { id: number; name: string }; next: NonNullable<ReminderRow['next']>; onClose: () => void };

export function SkipReminderDialog({ student, next: { on }, onClose }: SkipReminderDialogProps) {
  const client = useQueryClient();
  const [key] = useState(newKey);
  const skipping = useMutation(skipReminder);
  const { register, field, failure, isDirty, isPending, summary, submit } = useServerForm({
    schema,
    values: { reason: '' },
    fields: ['reason'],
    idPrefix: 'skip',
    send: async ({ reason }) => {
      const { next } = await skipping.mutateAsync({ key, id: student.id, on, reason });
      showToast('Reminder skipped', next ? `The next one will be sent on ${dateText(next.on, '')}.` : 'No other reminder is scheduled.');
      onClose();
      for (const queryKey of moneyKeys) void client.invalidateQueries({ queryKey });
    },
  });
  const { leave, question } = useUnsavedChanges(isDirty && !isPending);
  const close = () => !isPending && leave(onClose);
  return (
    <Dialog title="Skip Next Reminder?" onClose={close}>
      <p>The family of <strong dir="auto">{student.name}</strong><span>{` gets no reminder on ${dateText(on, '')}. `}</span>Later ones are sent as usual, and you can undo this until that day.</p>
      <Form
        isPending={isPending}
        summary={summary}
        error={failure && failureWords(failure, 'The reminder could not be skipped. Please try again.')}
        submitLabel="Skip Reminder"
        pendingLabel="Skipping..."
        onSubmit={submit}
        onCancel={close}
      >
        <Field {...field('reason')} label="Reason" hint="Only the office reads it.">
          {(control) => <textarea {...control} {...register('reason')} rows={2} maxLength={500} dir="auto" />}
        </Field>
      </Form>
      {question}
    </Dialog>
  );
}
