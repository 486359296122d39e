// Says whether a family is reminded of what it owes.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import * as z from 'zod/mini';
import type { ReminderMode, StudentReminders } from '../../api-types.ts';
import { optionsOf, wordsOf } from '../../closedSets.ts';
import { Field } from '../../components/Field.tsx';
import { FormDialog } from '../../components/FormDialog.tsx';
import { showToast } from '../../components/toasts.ts';
import { newKey } from '../../once.ts';
import { moneyKeys, setReminders } from '../moneyQueries.ts';
import { reminderModes } from './reminderWords.ts';

const schema = z.object({ mode: z.enum(wordsOf(reminderModes) as [ReminderMode, ...ReminderMode[]]), note: z.string(), until: z.string() });

type ReminderModeDialogProps = { student: { id: number; name: string }; reminders: Pick<StudentReminders, 'state'>; onClose: () => void };

export function ReminderModeDialog({ student, reminders: { state }, onClose }: ReminderModeDialogProps) {
  const client = useQueryClient();
  const [key] = useState(newKey);
  const saving = useMutation(setReminders);
  return (
    <FormDialog
      title="Reminder Settings"
      intro={<p>Whether <strong dir="auto">{student.name}</strong> and the guardians are reminded of what is due.</p>}
      schema={schema}
      values={{ mode: state?.mode ?? 'normal', note: state?.note ?? '', until: state?.until ?? '' }}
      fields={['mode', 'note', 'until']}
      idPrefix="reminders"
      submitLabel="Save"
      failed="That could not be saved. Please try again."
      send={async ({ mode, note, until }) => {
        await saving.mutateAsync({ key, id: student.id, mode, note: note || null, until: mode === 'normal' ? null : until || null });
        showToast('Reminders saved');
        onClose();
        for (const queryKey of moneyKeys) void client.invalidateQueries({ queryKey });
      }}
      onClose={onClose}
    >
      {({ form, register, field }) => (
        <>
          <Field {...field('mode')} label="Reminders">
            {(control) => <select {...control} {...register('mode')}>{optionsOf(reminderModes).map(({ value, label }) => <option key={value} value={value}>{label}</option>)}</select>}
          </Field>
          {form.watch('mode') !== 'normal' && (
            <Field {...field('until')} label="Until (optional)" hint="The last day of it. Empty: until it is changed.">
              {(control) => <input {...control} {...register('until')} type="date" />}
            </Field>
          )}
          <Field {...field('note')} label="Note (optional)" hint="Only the office reads it.">
            {(control) => <textarea {...control} {...register('note')} rows={2} maxLength={500} dir="auto" />}
          </Field>
        </>
      )}
    </FormDialog>
  );
}
